#!/usr/bin/env node
import { runCommand } from '../production/command.js';

void runCommand(__dirname);
