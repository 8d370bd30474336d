// The first and the newest versions of the AI SDK that are supported.
import * as sdk5 from 'ai-5.0.0';
import * as sdk6 from 'ai-6.0.0';
import * as sdk70 from 'ai-7.0.0';
import * as sdk6latest from 'ai6';
import * as sdk7 from 'ai';

/** Name, module, and the profile of the stream that it reads. */
export const versions = [
  ['5.0.0', sdk5, 'v5-min'],
  ['6.0.0', sdk6, 'v6'],
  ['6.0.326', sdk6latest, 'v6'],
  ['7.0.0', sdk70, 'v7'],
  ['7.0.173', sdk7, 'v7'],
];
