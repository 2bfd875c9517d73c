/* oxlint-disable no-underscore-dangle -- micromark names its own fields so */
import type { Construct, ConstructRecord, Extension, TokenizeContext } from 'micromark-util-types';
import { gfm } from 'micromark-extension-gfm';
import type { TextFeatures } from './text-features.ts';

/** Of the text that is being parsed. */
let features: TextFeatures | null = null;

export function withFeatures<T>(ofText: TextFeatures, work: () => T): T {
  const before = features;
  features = ofText;
  try {
    return work();
  } finally {
    features = before;
  }
}

type Address = 'emailAutolink' | 'wwwAutolink' | 'protocolAutolink';

/** What has to stand in a piece of text, from where an address in words begins. Looks at no more than the address would. */
const ADDRESSES: Record<Address, (rest: string) => boolean> = {
  emailAutolink: (rest) => /^[\w.+-]+@/.test(rest),
  wwwAutolink: (rest) => /^www\./i.test(rest),
  protocolAutolink: (rest) => /^https?:\/\//i.test(rest),
};

/**
 * GitHub's Markdown, which is not tried where it cannot be: as it comes, each word is read as the beginning of an e-mail address, and each
 * line as that of a table. What is found is the same.
 * @param has of what all texts have some that are parsed with it
 */
export function quickGfm(has: TextFeatures): Extension {
  const all = gfm();
  const text: ConstructRecord = {};
  for (const [code, constructs] of Object.entries(all.text ?? {})) {
    const left = listOf(constructs).flatMap((construct) => {
      if (!isAddress(construct.name)) return [construct];
      return has[construct.name] ? [address(construct, ADDRESSES[construct.name])] : [];
    });
    if (left.length > 0) text[code as unknown as number] = left;
  }
  const flow: ConstructRecord = {};
  for (const [code, constructs] of Object.entries(all.flow ?? {})) {
    // It stays where there is no table: what is tried is counted.
    flow[code as unknown as number] = listOf(constructs).map((construct) =>
      construct.name === 'table' ? table(construct) : construct,
    );
  }
  return { ...all, text, flow };
}

function isAddress(name: string | undefined): name is Address {
  return name !== undefined && Object.hasOwn(ADDRESSES, name);
}

const quickened = new Map<Construct, Construct>();

function address(construct: Construct, begins: (rest: string) => boolean): Construct {
  let quick = quickened.get(construct);
  if (!quick) {
    const { previous } = construct;
    quick = {
      ...construct,
      previous(code) {
        return (!previous || previous.call(this, code)) && begins(restOf(this));
      },
    };
    quickened.set(construct, quick);
  }
  return quick;
}

/** What follows of the line, up to the next tab. */
function restOf(context: TokenizeContext): string {
  const now = context.now();
  const start = { ...now, _bufferIndex: Math.max(now._bufferIndex, 0) };
  const end = { ...start, _bufferIndex: Number.MAX_SAFE_INTEGER };
  const [rest] = context.sliceStream({ start, end });
  return typeof rest === 'string' ? rest : '';
}

function table(construct: Construct): Construct {
  const { tokenize } = construct;
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      return features?.tableLines?.has(this.now().line) ? tokenize.call(this, effects, ok, nok) : nok;
    },
  };
}

function listOf(constructs: Construct | Construct[] | undefined): Construct[] {
  return Array.isArray(constructs) ? constructs : constructs ? [constructs] : [];
}
