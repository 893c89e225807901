/** Codec of lists. */

import { append, trimCapacity } from '../../codec/object-class.ts';
import { readListMeta, writeListMeta } from '../meta/meta-codecs.ts';
import type { KindCodec, Message, MessageCodec } from '../types.ts';

const fields = '1 metadata,2 items*';

/** Returns the codec of a list with items of `item`. `items` is present even if it is empty. */
export function listCodec(item: MessageCodec): KindCodec {
  const { read, write } = item;
  return {
    item,
    read: (r, end) => {
      r.enter(fields);
      let metadata: Message | undefined;
      let items: unknown[] | undefined;
      while (r.pos < end) {
        const tag = r.tag();
        if (tag === 10)
          metadata = metadata === undefined ? readListMeta(r, r.end()) : r.merged(readListMeta, 10);
        else if (tag === 18) items = append(items, read(r, r.end()));
        else r.unknown(tag);
      }
      const m: Message = {
        metadata: metadata ?? readListMeta(r, r.pos),
        items: items === undefined ? [] : trimCapacity(items),
      };
      r.leave(end, m);
      return m;
    },
    write: (w, m) => {
      w.enter(fields, m);
      const items = w.messages(18, m['items'], write);
      return items + w.message(10, m['metadata'], writeListMeta);
    },
  };
}
