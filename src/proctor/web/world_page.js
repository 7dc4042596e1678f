const world = JSON.parse(document.getElementById('world').textContent);
const list = document.querySelector('.list'), shown = document.querySelector('article'), find = document.querySelector('input');
let here = '';
const put = (tag, text, kind) => { const made = document.createElement(tag); made.textContent = text; if (kind) made.className = kind; return made; };
const link = (where) => {
  const made = put('a', where); made.href = '#'; made.onclick = event => { event.preventDefault(); go(where); }; return made;
};
const show = item => {
  shown.replaceChildren(put('h2', item.title));
  for (const line of item.head || []) shown.append(put('small', line), document.createElement('br'));
  if (item.image) { const made = document.createElement('img'); made.src = item.image; made.alt = item.title; shown.append(made); }
  if (item.file) { const made = put('a', 'open the file'); made.href = item.file; shown.append(made); }
  if (item.text) shown.append(put('pre', item.text));
  for (const [word, says, where, kind] of item.sides || []) {
    const made = document.createElement('p'); made.append(put('b', word + ' ', kind), says + ' ', link(where)); shown.append(made);
  }
  for (const where of item.refs || []) { const made = document.createElement('div'); made.append(link(where)); shown.append(made); }
};
const fill = () => {
  const wanted = find.value.toLowerCase();
  const items = world[here].filter(item => !wanted || (item.title + ' ' + (item.head || []).join(' ') + ' ' + (item.text || '')).toLowerCase().includes(wanted));
  list.replaceChildren(...items.slice(0, 1500).map(item => {
    const made = document.createElement('button');
    made.append(put('small', item.when + '  ' + (item.who || '')), document.createElement('br'), item.title);
    made.onclick = () => { for (const other of list.children) other.ariaCurrent = 'false'; made.ariaCurrent = 'true'; show(item); };
    return made;
  }));
  document.getElementById('count').textContent = items.length;
};
const open = name => {
  here = name;
  for (const button of document.querySelectorAll('nav button')) button.ariaPressed = String(button.dataset.name === name);
  fill();
};
const go = where => {
  const found = Object.keys(world).flatMap(name => world[name].filter(item => item.ref === where).map(item => [name, item]))[0];
  if (found) { find.value = ''; open(found[0]); show(found[1]); }
};
for (const name of Object.keys(world)) {
  const button = put('button', name); button.dataset.name = name; button.onclick = () => open(name); document.querySelector('nav').append(button);
}
find.oninput = fill;
open(Object.keys(world)[0]);
