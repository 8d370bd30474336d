// Keeps zod, which the AI SDK checks chunks with, from compiling code: the page's policy forbids
// that. Must be imported before `ai`.
import { config } from 'zod/v4/core';

config({ jitless: true });
