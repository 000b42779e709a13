extension HTMLPage {
  /// The script of the page. Links within the page set its filters by the address, as
  /// `#rule=…&search=…`.
  static let script = """
    'use strict';
    (() => {
      const reveal = () => {
        const target = location.hash && document.getElementById(location.hash.slice(1));
        const details = target && target.closest('details');
        if (details) { details.open = true; target.scrollIntoView(); }
      };
      window.addEventListener('hashchange', reveal);
      window.addEventListener('beforeprint', () => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      reveal();

      const form = document.querySelector('.filters');
      if (!form) return;
      form.hidden = false;
      const list = document.getElementById('list');
      const shown = document.getElementById('shown');
      const field = id => document.getElementById(id);
      const selects = ['rule', 'place', 'class'].filter(field);
      // The list is built when a filter is first used.
      let known = null;
      const all = () => known ??= [...document.querySelectorAll('article')].map(element => ({
        element, data: element.dataset, section: element.closest('.group'),
        home: element.parentElement, more: element.closest('.more'),
        isListed: list.contains(element), fits: true, text: null
      }));
      let grouping = 'problem';
      const problems = [...list.children];
      let path = '';

      const group = by => {
        if (by === grouping) return;
        grouping = by;
        const listed = all().filter(one => one.isListed);
        if (by === 'problem') {
          for (const one of listed) {
            one.home.appendChild(one.element);
            one.section = one.home.closest('.group');
          }
          list.replaceChildren(...problems);
          return;
        }
        const sections = new Map();
        for (const one of listed) {
          const key = one.data[by];
          if (!sections.has(key)) {
            const section = document.createElement('section');
            section.className = 'group';
            section.appendChild(document.createElement('h3')).textContent = key;
            sections.set(key, section);
          }
          one.section = sections.get(key);
          one.section.appendChild(one.element);
        }
        const keys = [...sections.keys()].sort();
        list.replaceChildren(...keys.map(key => sections.get(key)));
      };

      const update = () => {
        group(form.querySelector('[name=group]:checked').value);
        const words = field('search').value.toLowerCase().split(/\\s+/).filter(Boolean);
        const severities = new Set(
          [...form.querySelectorAll('[name=severity]:checked')].map(box => box.value));
        const chosen = selects.map(id => [id, field(id).value]).filter(pair => pair[1]);
        if (path) chosen.push(['path', path]);
        const isFiltered = words.length || chosen.length
          || form.querySelector('[name=severity]:not(:checked)');
        const sections = new Map();
        const mores = new Map();
        let count = 0;
        for (const one of all()) {
          let fits = severities.has(one.data.severity)
            && chosen.every(([key, value]) => one.data[key] === value);
          if (fits && words.length) {
            one.text ??= one.element.textContent.toLowerCase().replaceAll('\\u00a0', ' ');
            fits = words.every(word => one.text.includes(word));
          }
          if (fits !== one.fits) { one.fits = fits; one.element.hidden = !fits; }
          if (fits) count += 1;
          sections.set(one.section, fits || sections.get(one.section) || false);
          if (one.more) mores.set(one.more, fits || mores.get(one.more) || false);
        }
        for (const [section, fits] of sections) section.hidden = !fits;
        for (const [more, fits] of mores) {
          more.hidden = !fits;
          if (fits && isFiltered) more.open = true;
        }
        const total = all().length + (all().length === 1 ? ' finding' : ' findings');
        shown.textContent = (count === all().length ? total : count + ' of ' + total)
          + (path ? ' in ' + path : '');
      };

      const clear = () => { form.reset(); path = ''; };
      const follow = () => {
        const hash = location.hash.slice(1);
        if (/^f\\d+$/.test(hash)) {
          const one = known && known.find(one => one.element.id === hash);
          if (one && !one.fits) { clear(); update(); one.element.scrollIntoView(); }
        }
        if (!hash.includes('=')) return;
        const wanted = new URLSearchParams(hash.replaceAll('+', '%2B'));
        clear();
        path = wanted.get('path') || '';
        for (const id of ['search', ...selects]) {
          if (wanted.has(id)) field(id).value = wanted.get(id);
        }
        if (wanted.has('severity')) {
          const severities = wanted.get('severity').split(',');
          for (const box of form.querySelectorAll('[name=severity]')) {
            box.checked = severities.includes(box.value);
          }
        }
        for (const choice of form.querySelectorAll('[name=group]')) {
          if (choice.value === wanted.get('group')) choice.checked = true;
        }
        update();
        document.getElementById('findings').scrollIntoView();
      };

      const step = by => {
        const open = all().filter(one => one.fits).map(one => one.element);
        if (grouping !== 'problem') {
          open.sort((a, b) => a.compareDocumentPosition(b) & 4 ? -1 : 1);
        }
        const at = open.indexOf(document.activeElement.closest('article'));
        const next = open[at < 0 ? (by > 0 ? 0 : open.length - 1) : at + by];
        const more = next && next.closest('details');
        if (more) more.open = true;
        if (next) { next.focus(); next.scrollIntoView({block: 'nearest'}); }
      };

      form.addEventListener('input', update);
      form.addEventListener('reset', () => { path = ''; setTimeout(update); });
      form.addEventListener('submit', event => event.preventDefault());
      document.addEventListener('keydown', event => {
        if (!field('keys').checked || event.ctrlKey || event.metaKey || event.altKey) return;
        if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
          && !/^(checkbox|radio)$/.test(event.target.type)) return;
        if (event.key === '/') { event.preventDefault(); field('search').focus(); }
        if (event.key === 'j') step(1);
        if (event.key === 'k') step(-1);
      });
      window.addEventListener('hashchange', follow);
      follow();
    })();
    """
}
