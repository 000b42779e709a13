import Crypto
import Foundation

/// What the page of ``HTMLReport`` looks like and does.
enum HTMLPage {
  /// Nothing is loaded, and no other script runs, whatever stands in the findings.
  static let policy: String = {
    let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)'; "
      + "base-uri 'none'; form-action 'none'"
  }()

  static let style = """
    :root{--ink:#1b1d21;--paper:#fff;--soft:#5b616b;--line:#d5d9e0;--code:#f4f5f7;--link:#0b57d0;
    --high:#b3261e;--medium:#8a5300;--low:#1a5fb4;--note:#4a5560;--mark:#ffe28a}
    @media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#16181c;--soft:#a3aab5;
    --line:#383d45;--code:#1f2228;--link:#8ab4f8;--high:#ff8a80;--medium:#ffb74d;--low:#82b1ff;
    --note:#b0bec5;--mark:#5c4a00}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:70rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;
    color:var(--ink);background:var(--paper)}
    a{color:var(--link)}
    h1{font-size:1.5rem}h2{font-size:1.1rem;overflow-wrap:anywhere;margin-top:2rem}
    h3{font-size:1rem;margin:0}
    .skip{position:absolute;left:-100rem}.skip:focus{left:1rem}
    .counts{display:flex;flex-wrap:wrap;gap:.5rem 2rem;list-style:none;padding:0}
    .counts b{font-size:1.6rem}
    .high{color:var(--high)}.medium{color:var(--medium)}.low{color:var(--low)}
    .note{color:var(--note)}
    .severity{font-weight:700}
    .wide{overflow-x:auto}
    table{border-collapse:collapse}
    th,td{text-align:left;padding:.2rem 1rem .2rem 0;border-bottom:1px solid var(--line)}
    tbody th{font-weight:400}.number{text-align:right}
    .filters{position:sticky;top:0;background:var(--paper);border-bottom:1px solid var(--line);
    padding:.5rem 0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;z-index:1}
    fieldset{border:0;padding:0;margin:0;display:flex;gap:.7rem}
    legend{float:left;padding:0 .5rem 0 0;color:var(--soft)}
    .keys,.place,output{color:var(--soft);margin:0}
    article{border-left:3px solid var(--line);padding:.2rem 0 .2rem 1rem;margin:1rem 0;
    scroll-margin-top:7rem}
    article:focus,article:target{border-color:var(--link);outline:0}
    pre{background:var(--code);padding:.5rem;overflow-x:auto;font-size:.85rem;
    border-radius:.3rem;margin:.5rem 0}
    .line::before{content:attr(data-number);display:inline-block;min-width:3rem;
    padding-right:1rem;text-align:right;color:var(--soft)}
    mark{background:var(--mark);color:inherit}
    details{margin:.5rem 0}summary{cursor:pointer}
    li{overflow-wrap:anywhere}
    [hidden]{display:none}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px}
    @media print{.filters,.skip{display:none}}
    """

  static let script = """
    'use strict';
    (() => {
      const form = document.querySelector('.filters');
      if (!form) return;
      const list = document.getElementById('findings');
      const all = [...list.querySelectorAll('article')];
      const texts = all.map(a => a.textContent.toLowerCase());
      const search = document.getElementById('search');
      const rule = document.getElementById('rule');
      const shown = document.getElementById('shown');
      let grouping = 'path';
      const group = by => {
        if (by === grouping) return;
        grouping = by;
        const sections = new Map();
        for (const article of all) {
          const key = article.dataset[by];
          if (!sections.has(key)) {
            const section = document.createElement('section');
            section.className = 'group';
            section.appendChild(document.createElement('h2')).textContent = key;
            sections.set(key, section);
          }
          sections.get(key).appendChild(article);
        }
        const keys = [...sections.keys()].sort();
        list.replaceChildren(...keys.map(key => sections.get(key)));
      };
      const update = () => {
        group(form.querySelector('[name=group]:checked').value);
        const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
        const severities = new Set(
          [...form.querySelectorAll('[name=severity]:checked')].map(box => box.value));
        let count = 0;
        all.forEach((article, index) => {
          const fits = (!rule.value || article.dataset.rule === rule.value)
            && severities.has(article.dataset.severity)
            && words.every(word => texts[index].includes(word));
          article.hidden = !fits;
          if (fits) count += 1;
        });
        for (const section of list.querySelectorAll('.group')) {
          section.hidden = !section.querySelector('article:not([hidden])');
        }
        shown.textContent = count === all.length
          ? count + (count === 1 ? ' finding' : ' findings') : count + ' of ' + all.length;
      };
      const step = by => {
        const open = [...list.querySelectorAll('article:not([hidden])')];
        const at = open.indexOf(document.activeElement.closest('article'));
        const next = open[at < 0 ? (by > 0 ? 0 : open.length - 1) : at + by];
        if (next) { next.focus(); next.scrollIntoView({block: 'nearest'}); }
      };
      form.addEventListener('input', update);
      form.addEventListener('submit', event => event.preventDefault());
      document.addEventListener('keydown', event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
        if (event.key === '/') { event.preventDefault(); search.focus(); }
        if (event.key === 'j') step(1);
        if (event.key === 'k') step(-1);
      });
      const open = () => {
        const target = location.hash && document.getElementById(location.hash.slice(1));
        if (target && target.tagName === 'DETAILS') target.open = true;
      };
      window.addEventListener('hashchange', open);
      open();
      update();
    })();
    """
}
