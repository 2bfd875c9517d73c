import { h, type ComponentChild } from 'preact';
import { text } from '../../../text.ts';
import { shownText } from '../shown-text.tsx';
import type { Element } from './arrange.ts';
import { drawnImage, drawnLink, type Drawing } from './drawing.tsx';

const { changes: w } = text;

/** HTML elements that are kept, without any of their attributes. */
const PLAIN = new Set(
  'abbr b blockquote br cite code del div dd dl dt em hr i ins kbd li mark ol pre q s samp small span strong sub sup u ul var'.split(
    ' ',
  ),
);
/** Those that are drawn as a plain block. */
const BLOCKS = new Set('address article aside center footer header main nav p section table tbody tr thead'.split(' '));
/** Elements whose content is code, or invisible. */
const CODE = new Set(
  'script style textarea title template noscript iframe xmp object embed applet svg math'.split(' '),
);

const CALLOUTS = new Set(
  'note tip warning info check danger caution aside callout admonition important success error hint'.split(' '),
);
const CARDS = new Set('card linkcard tile'.split(' '));
const GRIDS = new Set('cardgroup cardgrid columns row tiles'.split(' '));
const GROUPS = new Set(
  'steps tabs codegroup codetabs accordiongroup fragment requestexample responseexample'.split(' '),
);
const LABELLED = new Set('step tab tabitem view update panel column'.split(' '));
const FOLDS = new Set('accordion expandable collapsible details'.split(' '));
const FIELDS = new Set('paramfield responsefield param field'.split(' '));

const TITLES = ['title', 'label', 'header', 'name', 'value', 'text'];

/** A component of a generator, an HTML element, or a box with its name. Nothing of it is executed. */
export function drawnElement(element: Element, drawing: Drawing): ComponentChild {
  const name = element.name.toLowerCase().replaceAll(/[-_.]/g, '');
  const attribute = (wanted: string) => element.attributes.find(([own]) => own.toLowerCase() === wanted)?.[1] ?? null;
  const inside = () => element.children.map((child) => drawing.draw(child, drawing));
  const title = TITLES.map(attribute).find((value) => value) ?? null;
  // A component is written with a capital; <aside> is HTML, and <Aside> is not.
  const isHtml = element.of.type !== 'container' && /^[a-z]/.test(element.name);
  if (element.name === '') return inside();
  if (isHtml && CODE.has(name)) return codeBox(element);
  if (isHtml && PLAIN.has(name)) return h(name, {}, name === 'br' || name === 'hr' ? null : inside());
  if (isHtml && /^h[1-6]$/.test(name)) return <div class={`heading ${name}`}>{inside()}</div>;
  if (isHtml && BLOCKS.has(name)) return <div class="p">{inside()}</div>;
  if (isHtml && (name === 'td' || name === 'th')) return <span class="cell">{inside()}</span>;
  if (name === 'a' || (name === 'link' && !isHtml))
    return drawnLink(attribute('href') ?? attribute('to') ?? '', inside());
  if (name === 'img' || name === 'image')
    return drawnImage(attribute('alt') ?? '', attribute('src') ?? attribute('srcset') ?? '');
  if (CALLOUTS.has(name)) return callout(name, attribute('type') ?? name, title, inside());
  if (CARDS.has(name))
    return (
      <div class="card-box">
        {title && <strong>{drawnLink(attribute('href') ?? '', shownText(title))}</strong>}
        {attribute('description') && <div class="p">{shownText(attribute('description') ?? '')}</div>}
        {inside()}
      </div>
    );
  if (GRIDS.has(name)) return <div class="card-grid">{inside()}</div>;
  if (GROUPS.has(name)) return <div class={`group-box ${name}`}>{inside()}</div>;
  if (LABELLED.has(name) || (element.of.type === 'container' && name === 'codegroup'))
    return (
      <div class={`labelled ${name}`}>
        {title && <div class="label">{shownText(title)}</div>}
        {inside()}
      </div>
    );
  if (FOLDS.has(name))
    return (
      <details open class="fold-box">
        <summary>{title ? shownText(title) : summaryOf(element, drawing)}</summary>
        {element.children.filter((child) => !isSummary(child)).map((child) => drawing.draw(child, drawing))}
      </details>
    );
  if (name === 'summary' || name === 'figcaption') return <div class="label">{inside()}</div>;
  if (name === 'frame' || name === 'figure')
    return (
      <figure class="frame-box">
        {inside()}
        {attribute('caption') && <figcaption>{shownText(attribute('caption') ?? '')}</figcaption>}
      </figure>
    );
  if (FIELDS.has(name)) return field(element, attribute, inside());
  if (name === 'badge') return <span class="badge">{title ? shownText(title) : inside()}</span>;
  if (name === 'tooltip') return <span title={attribute('tip') ?? ''}>{inside()}</span>;
  if (name === 'icon') return <span class="kind">{shownText(attribute('icon') ?? attribute('name') ?? '')}</span>;
  return unknown(element, inside());
}

function callout(name: string, type: string, title: string | null, children: ComponentChild): ComponentChild {
  const kind = /warn|caution|important/.test(type)
    ? 'warn'
    : /danger|error/.test(type)
      ? 'bad'
      : /tip|check|success/.test(type)
        ? 'good'
        : 'plain';
  const label = title ?? (type === name || CALLOUTS.has(type) ? type : name);
  return (
    <div class={`callout ${kind}`}>
      <div class="label">{shownText(label)}</div>
      {children}
    </div>
  );
}

function isSummary(child: Element['children'][number]): boolean {
  return child.type === 'element' && child.name?.toLowerCase() === 'summary';
}

function summaryOf(element: Element, drawing: Drawing): ComponentChild {
  const summary = element.children.find(isSummary);
  if (!summary) return w.details;
  return summary.children?.map((child) => drawing.draw(child, drawing));
}

/** A parameter or a response field: its name may be in `body`, `query`, `path` or `header`. */
function field(element: Element, attribute: (name: string) => string | null, children: ComponentChild): ComponentChild {
  const name = ['name', 'body', 'query', 'path', 'header'].map(attribute).find((value) => value) ?? '';
  const isRequired = element.attributes.some(([own, value]) => own === 'required' && value !== '{false}');
  return (
    <div class="field-box">
      <div class="label">
        <code>{shownText(name)}</code> <span class="kind">{shownText(attribute('type') ?? '')}</span>{' '}
        {isRequired && <span class="required">{w.required}</span>}{' '}
        {attribute('default') !== null && <span class="kind">= {shownText(attribute('default') ?? '')}</span>}
      </div>
      {children}
    </div>
  );
}

function codeBox(element: Element): ComponentChild {
  const text = element.children.map((child) => ('value' in child ? (child.value ?? '') : '')).join('');
  return (
    <div class="unknown-box">
      <div class="label">{tagOf(element)}</div>
      {text.trim() !== '' && (
        <pre tabIndex={0}>
          <code>{shownText(text.slice(0, 2_000))}</code>
        </pre>
      )}
    </div>
  );
}

function unknown(element: Element, children: ComponentChild): ComponentChild {
  if (element.of.type === 'mdxJsxTextElement' && element.children.length === 0)
    return <code class="expression">{tagOf(element)}</code>;
  return (
    <div class="unknown-box">
      <div class="label">{tagOf(element)}</div>
      {children}
    </div>
  );
}

/** A tag as it is written, cut. */
function tagOf({ name, attributes }: Element): ComponentChild {
  const text = attributes
    .map(([own, value]) => {
      if (!own) return ` ${value}`;
      if (value === '') return ` ${own}`;
      return value.startsWith('{') ? ` ${own}=${value}` : ` ${own}="${value}"`;
    })
    .join('');
  return <code>{shownText(`<${name}${text.length > 200 ? `${text.slice(0, 200)}…` : text}>`)}</code>;
}
