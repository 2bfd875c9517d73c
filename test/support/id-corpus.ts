import type { PageDialect } from '@docent/docs-check/read/page-dialect';

/** A page whose ids are asked of its generator: `scripts/record/ids.ts`. */
export interface IdPage {
  generator: 'mintlify' | 'docusaurus' | 'vitepress' | 'mkdocs' | 'mdbook' | 'starlight';
  dialect: PageDialect;
  text: string;
  /**
   * Ids that are let through although the generator does not make them: if sites differ, or if it does
   * no harm.
   */
  also?: string[];
}

const TEXTS = `## Hello, World!

## Node.js & npm

## _meta and __init__

## \`code()\` in *it*

## Über größe

## 日本語 の 見出し

## C++ / C#

## 1. First

## What is it?

## A -- b

## Twice

## Twice

### Twice

## Twice 2

## Twice

## [A link](/x) here

## 100% sure

## emoji 🎉 here

## a@b.c

## Trailing - dash -

## Foo:bar and a: b

## Don't stop

## A/B and C|D

## \\*starred\\* and under\\_score

## <b>Bold</b> tag

## "Quoted" text...

## x_y__z

## $HOME: [x] is ok

##### Five

###### Six
`;

const JSX = `<div id="plain">x</div>

<pre id="pre">code</pre>

<code id="code">x</code>

Text <span id="in-text">x</span> <a id="link" />

## After

{true && <p id="in-script">x</p>}
`;

export const ID_PAGES: Record<string, IdPage> = {
  // With typographic signs, as Mintlify's check of links has it.
  'headings of Mintlify': {
    generator: 'mintlify',
    dialect: 'mintlify',
    text: TEXTS,
    also: ['a-—-b', 'don’t-stop', 'quoted-text…', '“quoted”-text…'],
  },
  'headings of Docusaurus': { generator: 'docusaurus', dialect: 'docusaurus', text: TEXTS },
  'headings of VitePress': { generator: 'vitepress', dialect: 'vitepress', text: TEXTS },
  'headings of MkDocs': { generator: 'mkdocs', dialect: 'mkdocs-ascii', text: TEXTS },
  'elements of Mintlify': { generator: 'mintlify', dialect: 'mintlify', text: JSX },
  'elements of Docusaurus': { generator: 'docusaurus', dialect: 'docusaurus', text: JSX },
  'components of Mintlify': {
    generator: 'mintlify',
    dialect: 'mintlify',
    also: ['q-&-a', 'second!'],
    text: `# Top

<Accordion title="What is \`it\`?">

### Inside

</Accordion>

<Accordion title="What is it">
text
</Accordion>

<Accordion title="Größe & Événement d’été: Ærø">
text
</Accordion>

<Accordion title="公開 API">
text
</Accordion>

<AccordionGroup>
  <Accordion title="Terms & more: all">
    ## Deep
  </Accordion>
  <Accordion title="Terms" id="my-terms">x</Accordion>
</AccordionGroup>

<Steps titleSize="h3">
  <Step title="First step">x</Step>
  <Step title="Second" id="second!">x</Step>
  <Step title="Silent" noAnchor>x</Step>
</Steps>

<Steps>
  <Step title="No anchor">x</Step>
</Steps>

<Tabs>
  <Tab title="npm">

  ## In a tab

  </Tab>
  <Tab title="npm">x</Tab>
  <Tab title="q & a">x</Tab>
  <Tab title="Own" id="own-tab">x</Tab>
</Tabs>

<Update label="May 2024" description="d">

## In an update

</Update>

<Update label="v1.2">x</Update>

<ParamField query="userName" type="string">x</ParamField>

<ParamField path="user_id">x</ParamField>

<ResponseField name="data.items[0]">x</ResponseField>

<ResponseField name="data.items[0]">x</ResponseField>

<ParamField body="mine" id="own-param">x</ParamField>

<Card title="No id" id="none">x</Card>

<Note title="No id either">x</Note>

<Expandable title="Nor here">

### In expandable

</Expandable>

<View title="The View">x</View>

<h2>Two words</h2>

<h3 id="jsx-own">Own</h3>

<Frame caption="No">x</Frame>

## In a tab

## Inside
`,
  },
  'own ids of Mintlify': {
    generator: 'mintlify',
    dialect: 'mintlify',
    text: `## One {#own}

## Two { #My own id }

## Three {#own}

## own

##### Five {#five}

\`\`\`
## Code {#no}
\`\`\`
`,
  },
  'own ids of Docusaurus': {
    generator: 'docusaurus',
    dialect: 'docusaurus',
    text: `# Title

## One {#own}

## Two {#Own-Two}

## own

## Three {#own}

## Four {/* #four */}

## Five { /*#five*/ }

## Six {/* #six and more */}

## Seven {/* no id */}

## \`Eight\` {#eight}

## Nine {1 + 1}

## ![Ten](./ten.png) ten

## <Highlight>Eleven</Highlight>

# Second top

## Second top

<Tabs><TabItem value="a" label="No id">x</TabItem></Tabs>

:::note[Title]

## In a note

:::
`,
  },
  'own ids of VitePress': {
    generator: 'vitepress',
    dialect: 'vitepress',
    also: ['table'],
    text: `# Title {#top}

## One {#own}

## Two {.c #two a=b}

## Three {#with.dot}

## Four { #four }

## own

## Five {.class}

## Entity &amp; more &lt;x&gt;

## With <Badge type="tip" text="^1" /> badge

## **Bold** \`code\`

## Great :tada: times

A paragraph {#para}

- item one {#item}
- item two
  {#list}

*emphasis*{#em} and \`code\`{#code .x} and [link](/x){#link}

> quote {#quote}

::: tip Title {#box}
## In a box
:::

::: details More {#details open}
x
:::

| a | b |
| - | - |
| c {#cell} | d |

{#table}

\`\`\`js {#fence}
const a = { x: '#no' }
\`\`\`

<div id="html">x</div>

<pre id="pre">x</pre>

{{ '#mustache' }}
`,
  },
  'own ids of MkDocs': {
    generator: 'mkdocs',
    dialect: 'mkdocs-ascii',
    text: `# Title {#top}

## One { #own }

## Two {: #two .c }

## Three { .c #three }

## own

## Four {id=four}

## own

## own_1

## \`code\` &amp; more <b>bold</b>

## Closed ## {#closed}

A paragraph
{: #para }

[link](x.md){#link} *em*{: #em }

| a | b |
| - | - |
| c { #cell } | d |

## para

<div id="html">x</div>

Set
---
`,
  },
  'headings of mdBook': { generator: 'mdbook', dialect: 'mdbook', text: TEXTS, also: ['a----b'] },
  'own ids of mdBook': {
    generator: 'mdbook',
    dialect: 'mdbook',
    // Until 0.4 a footnote's label was its id, and dashes were no sign.
    also: ['1', 'a----b', 'long'],
    text: `---
title: x
---

# A

## fn foo() {}

## Use {braces}

## With {#own .cls}

## Closed { .cls #own2 } ##

## A -- b

## "Quoted" isn't

## Ünï Ÿ İ

## ½ x² x٣

## \`code -- x\` *it*

## Twice

## Twice

### Twice-1

Set
text
----

## Foo[^1] <b>B</b> ![alt](x.png) &amp; [l](x)

term *a*
: def

term b

: def b

[^1]: note

Text[^long]

[^long]: note

> ## Quoted head

- ## In list

## trailing {#a} b

## {#only}

## x{#tight}

## esc \\{#esc}

## a {#x} {#y}

## two {#one #two key=value}

<h2 id="raw">Raw</h2>

<a name="named"></a> <a id="linked"></a>
`,
  },
  'headings of Starlight': { generator: 'starlight', dialect: 'starlight-markdown', text: TEXTS },
  'headings of HTML in Starlight': {
    generator: 'starlight',
    dialect: 'starlight-markdown',
    text: `# Title

## With {#own}

## "Quoted" isn't a -- b --- c

<h2>Raw one</h2>

<h2 id="raw">Raw two</h2>

<a id="linked"></a>

## {braces} and $x

## ![picture](https://example.com/x.png) after

## Ends with a dash -

## ends. !

Set
---
`,
  },
};
