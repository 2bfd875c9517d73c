import type { Construct, Effects, Extension, FullNormalizedExtension } from 'micromark-util-types';
import { spend, spendToken } from './parse-work.ts';

const MAPS = ['contentInitial', 'document', 'flow', 'flowInitial', 'string', 'text'] as const;
/** They search for what they close. */
const LOOKING_BACK: ReadonlySet<string> = new Set(['labelEnd', 'gfmPotentialFootnoteCall']);
const MARKS: ReadonlySet<string> = new Set(['attentionSequence', 'strikethroughSequenceTemporary']);
const CONTAINERS = [...'>*+-0123456789['].map((character) => character.charCodeAt(0));

/**
 * An extension of the parser that counts what it does, since some texts take time by the square of their
 * length. It puts counting constructs in place of all others as soon as a document begins. One for each set
 * of extensions.
 */
export function countedConstructs(): Extension {
  let counted: FullNormalizedExtension | null = null;
  const begin: Construct = {
    name: 'countWork',
    partial: true,
    tokenize(_, __, nok) {
      const { parser } = this;
      // It is tried more than once before what it does is seen.
      if (parser.constructs === counted) return nok;
      counted ??= countedSet(parser.constructs, begin);
      parser.constructs = counted;
      return nok;
    },
  };
  return { document: Object.fromEntries([['null', begin], ...CONTAINERS.map((code) => [code, begin])]) };
}

function countedSet(constructs: FullNormalizedExtension, begin: Construct): FullNormalizedExtension {
  const made = new Map<Construct, Construct>();
  const countedOne = (construct: Construct): Construct => {
    let one = made.get(construct);
    if (!one) made.set(construct, (one = countedConstruct(construct)));
    return one;
  };
  const maps = MAPS.map((name) => {
    const entries = Object.entries<Construct | Construct[] | undefined>(constructs[name]).map(([code, list]) => [
      code,
      (Array.isArray(list) ? list : list ? [list] : []).filter((construct) => construct !== begin).map(countedOne),
    ]);
    return [name, Object.fromEntries(entries)];
  });
  return { ...constructs, ...Object.fromEntries(maps) } as FullNormalizedExtension;
}

function countedConstruct(construct: Construct): Construct {
  const { tokenize, resolve, resolveTo, resolveAll, exit } = construct;
  const looksBack = LOOKING_BACK.has(construct.name ?? '');
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      countSteps(effects);
      if (looksBack) spend(this.events.length >> 2);
      return tokenize.call(this, effects, ok, nok);
    },
    ...(resolve && { resolve: counted(resolve) }),
    ...(resolveTo && { resolveTo: counted(resolveTo) }),
    ...(resolveAll && { resolveAll: countedMarks(resolveAll) }),
    ...(exit && {
      exit(effects) {
        // An end event is inserted at its position, which moves all earlier ones.
        spend(this.events.length >> 2);
        exit.call(this, effects);
      },
    }),
  };
}

type Resolver = NonNullable<Construct['resolveAll']>;

/** Iterates over the events, possibly all of them. */
function counted(resolver: Resolver): Resolver {
  return (events, context) => {
    spend(events.length);
    return resolver(events, context);
  };
}

/** Goes back through the events for each mark that may close, and moves them for each pair. */
function countedMarks(resolver: Resolver): Resolver {
  return (events, context) => {
    let marks = 0;
    for (const [kind, token] of events) if (kind === 'enter' && MARKS.has(token.type)) marks++;
    spend(events.length + Math.ceil((events.length * marks) / 16));
    return resolver(events, context);
  };
}

const seen = new WeakSet<Effects>();
let last: Effects | null = null;

/** The same object serves all constructs of one piece of text. */
function countSteps(effects: Effects): void {
  spend(1);
  if (effects === last || seen.has(effects)) return;
  last = effects;
  seen.add(effects);
  const { consume, enter } = effects;
  effects.enter = (type, fields) => {
    spendToken();
    return enter(type, fields);
  };
  effects.consume = (code) => {
    spend(1);
    consume(code);
  };
}
