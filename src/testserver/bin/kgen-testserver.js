#!/usr/bin/env node
import '../dist/server/command/main.js';
