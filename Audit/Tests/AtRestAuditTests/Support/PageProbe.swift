import Foundation

/// Scripts that test a page from within. They run because the page's policy is removed first.
enum PageProbe {
  /// Returns the page without its policy and with a script at its end.
  static func page(_ html: String, _ script: String) -> String {
    let meta = "<meta http-equiv=\"Content-Security-Policy\"[^>]*>"
    let policy = html.range(of: meta, options: .regularExpression)
    var html = html
    if let policy { html.removeSubrange(policy) }
    return html.replacingOccurrences(
      of: "</body>", with: "<script>\(script)</script></body>")
  }

  /// Returns a page that shows another one in frames of these widths, and collects their results.
  static func frames(_ page: String, widths: [Int]) -> String {
    let frames = widths.map {
      "<iframe name=\"\($0)\" src=\"\(page)\" width=\"\($0)\" height=\"800\"></iframe>"
    }
    return """
      <!DOCTYPE html><body>\(frames.joined())<pre id="probe"></pre><script>
      const all = {};
      addEventListener('message', event => {
        all[event.data.name] = event.data;
        document.getElementById('probe').textContent = JSON.stringify(all);
      });
      </script></body>
      """
  }

  static let checks = #"""
    (async () => {
      const wait = () => new Promise(done => setTimeout(done, 50));
      const all = selector => [...document.querySelectorAll(selector)];
      const seen = () => all('article')
        .filter(one => !one.closest('[hidden]')).map(one => Number(one.id.slice(1)))
        .sort((one, other) => one - other);
      const follow = async hash => { location.hash = hash; await wait(); return seen(); };
      const found = {name: window.name};

      found.all = seen();
      found.search = await follow('search=ZPASSWORD%20deleted');
      found.rule = await follow('rule=weak-kdf');
      found.severity = await follow('severity=high,note');
      found.place = await follow('place=Bank.ipa');
      found.protection = await follow('class=NSFileProtectionNone');
      document.querySelector('.found').click();
      await wait();
      found.path = seen();
      found.said = document.getElementById('shown').textContent;
      document.querySelector('[type=reset]').click();
      await wait();
      found.reset = seen();
      const search = document.getElementById('search');
      search.value = 'no such text';
      search.dispatchEvent(new Event('input', {bubbles: true}));
      found.nothing = seen();
      found.openGroups = all('.group').filter(group => !group.hidden).length;
      found.finding = await follow('f3');
      await follow('group=rule');
      found.groups = all('.group h3').map(one => one.textContent);
      await follow('group=problem');
      found.restored = seen();

      const key = name => document.body.dispatchEvent(
        new KeyboardEvent('keydown', {key: name, bubbles: true}));
      document.activeElement.blur();
      key('j'); key('j');
      found.second = document.activeElement.id;
      key('k');
      found.first = document.activeElement.id;
      key('/');
      found.searching = document.activeElement.id;

      for (const one of all('details')) one.open = true;
      found.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      const ids = all('[id]').map(one => one.id);
      found.twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      found.unnamed = all('input,select,button,a').filter(one =>
        !(one.labels && one.labels.length) && !one.textContent.trim()).length;
      found.mute = all('img:not([alt])').length;
      found.broken = all('img').filter(one => !one.naturalWidth).length;
      found.astray = all('a[href^="#"]').map(one => one.getAttribute('href').slice(1))
        .filter(id => !id.includes('=') && !document.getElementById(id));
      found.untitled = all('section[aria-labelledby]').filter(one =>
        !document.getElementById(one.getAttribute('aria-labelledby'))).length;
      let level = 0;
      found.leaps = [];
      for (const one of all('h1,h2,h3,h4,h5,h6')) {
        const next = Number(one.tagName[1]);
        if (next > level + 1) found.leaps.push(one.textContent);
        level = next;
      }

      const numbers = colour => {
        const parts = colour.match(/[\d.]+/g).map(Number);
        return parts.length < 4 ? [...parts, 1] : parts;
      };
      const light = ([r, g, b]) => [[r, .2126], [g, .7152], [b, .0722]].reduce((sum, [c, part]) =>
        sum + part * (c <= 10.31475 ? c / 3294.6 : ((c / 255 + .055) / 1.055) ** 2.4), 0);
      const behind = one => {
        for (let at = one; at; at = at.parentElement) {
          const colour = numbers(getComputedStyle(at).backgroundColor);
          if (colour[3] > 0) return colour;
        }
        return [255, 255, 255, 1];
      };
      found.contrast = 21;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const one = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || /^(SCRIPT|OPTION)$/.test(one.tagName)) continue;
        const [a, b] = [numbers(getComputedStyle(one).color), behind(one)].map(light);
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (ratio < found.contrast) { found.contrast = ratio; found.faintest = one.outerHTML; }
      }
      found.paper = getComputedStyle(document.body).backgroundColor;
      parent.postMessage(found, '*');
    })().catch(error => console.error(String(error)));
    """#

  /// A script that looks at joined findings and the table of canaries.
  static let joined = #"""
    (async () => {
      const wait = () => new Promise(done => setTimeout(done, 50));
      const all = selector => [...document.querySelectorAll(selector)];
      const found = {name: window.name};
      found.sections = all('main>section').map(one => one.id);
      found.joined = all('.joined h3').map(one => one.textContent.trim());
      found.sides = all('.joined').map(one => one.querySelectorAll('.sides>div').length);
      found.rows = all('.matrix tbody tr').map(one => one.querySelectorAll('li').length);
      found.absent = all('.matrix .absent').map(one => one.closest('tr').cells[0].textContent);
      location.hash = 'rule=userdefaults-sensitive';
      await wait();
      found.filtered = all('article').filter(one => !one.closest('[hidden]'))
        .map(one => one.dataset.rule);
      found.shownGroups = all('.group').filter(one => !one.hidden).length;
      document.querySelector('[type=reset]').click();
      await wait();
      for (const one of all('details')) one.open = true;
      found.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      const ids = all('[id]').map(one => one.id);
      found.twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      parent.postMessage(found, '*');
    })().catch(error => console.error(String(error)));
    """#

  /// A script that measures how long the page takes to load and to filter, in milliseconds.
  static let times = """
    {
      const look = () => document.documentElement.offsetHeight;
      look();
      const found = {built: performance.now(), findings: document.querySelectorAll('article').length};
      const search = document.getElementById('search');
      const rule = document.getElementById('rule');
      const time = (name, change) => {
        const start = performance.now();
        change();
        document.querySelector('.filters').dispatchEvent(new Event('input'));
        look();
        found[name] = performance.now() - start;
      };
      time('searchFirst', () => { search.value = '37'; });
      time('searchAgain', () => { search.value = '371'; });
      time('clear', () => { search.value = ''; });
      time('rule', () => { rule.selectedIndex = 1; });
      time('all', () => { rule.selectedIndex = 0; });
      time('group', () => { document.querySelector('[name=group][value=rule]').checked = true; });
      const probe = document.body.appendChild(document.createElement('pre'));
      probe.id = 'probe';
      const write = () => { probe.textContent = JSON.stringify(found); };
      write();
      addEventListener('load', () => {
        found.load = performance.getEntriesByType('navigation')[0].loadEventStart;
        const paint = performance.getEntriesByName('first-contentful-paint')[0];
        if (paint) found.firstPaint = paint.startTime;
        write();
      });
    }
    """
}
