"""The script of a set's page: it shows a picture with its labels over it, and follows keys and the mouse.

`artfish(name, first, frames)` is what the files of `page/` call; nothing is fetched but these and the pictures, so that
the page works from a disk as well as from a server.
"""

VIEWER_SCRIPT = """
'use strict';
const $ = (id) => document.getElementById(id), make = (tag) => document.createElement(tag);
const SET = JSON.parse($('set').textContent);
const LAYERS = [
  ['masks', 'm', 'Masks', true], ['boxes', 'b', 'Boxes of what is seen', true], ['whole', 'w', 'Boxes of whole fishes'],
  ['points', 'k', 'Keypoints'], ['tracks', 't', 'Track numbers', true], ['species', 's', 'Species'],
  ['minds', 'i', 'Intentions'], ['hiding', 'h', 'Hidden shares'], ['unseen', 'u', 'Fishes wholly hidden']];
const COLOURS = [['track', 'Track'], ['species', 'Species'], ['intention', 'Intention']];
const CROWD = 80, TAG_SIDE = 36;  // fishes from which on, and pixels below which, one has no tag
const KEPT = 6, LISTED = 400, MARGIN = 20;
const on = Object.fromEntries(LAYERS.map(([name, , , first]) => [name, !!first]));
const cache = new Map(), waiting = new Map(), picture = $('picture'), canvas = $('over'), pen = canvas.getContext('2d');
let film = 0, camera = 0, at = 0, shown = null, marked = null, pinned = null, player = 0, colouring = 'track', turn = 0;
const intentions = [];

window.artfish = (name, first, frames) => {
  const key = name + ':' + first;
  cache.set(key, frames);
  for (const old of cache.keys()) { if (cache.size <= KEPT) break; if (old !== key) cache.delete(old); }
  (waiting.get(key) || []).forEach((then) => then(frames));
  waiting.delete(key);
};

function chunkOf(f, c, i) {
  const name = SET.films[f].name + '/' + SET.cameras[c], starts = SET.chunks[name];
  let row = 0;
  while (row + 1 < starts.length && starts[row + 1] <= i) row++;
  return {name, first: starts[row], row};
}

function load(f, c, i) {
  const {name, first, row} = chunkOf(f, c, i), key = name + ':' + first;
  if (cache.has(key)) return Promise.resolve(cache.get(key)[i - first]);
  return new Promise((resolve, reject) => {
    const then = (frames) => resolve(frames[i - first]);
    if (waiting.has(key)) { waiting.get(key).push(then); return; }
    waiting.set(key, [then]);
    const script = make('script');
    script.src = 'page/' + name.replace('/', '-') + '-' + (row + 1) + '.js';
    script.onload = () => script.remove();
    script.onerror = () => { script.remove(); waiting.delete(key); reject(new Error(script.src)); };
    document.head.append(script);
  });
}

function runsOf(text) {
  const runs = [];
  for (let i = 0; i < text.length;) {
    let value = 0, shift = 0, letter;
    do {
      letter = text.charCodeAt(i++) - 48;
      value |= (letter & 31) << shift;
      shift += 5;
    } while (letter & 32);
    if (letter & 16 && shift < 32) value |= -1 << shift;
    if (runs.length > 2) value += runs[runs.length - 2];
    runs.push(value);
  }
  return runs;
}

function marksOf(frame) {
  const [wide, high] = SET.size, marks = new Uint16Array(wide * high);
  frame.fishes.forEach((fish, row) => {
    if (!fish.rle) return;
    let place = 0;
    runsOf(fish.rle).forEach((run, turn) => {
      if (turn % 2) for (let p = place; p < place + run; p++) marks[(p % high) * wide + Math.floor(p / high)] = row + 1;
      place += run;
    });
  });
  return marks;
}

const hues = new Map();
function hueOf(fish) {
  const key = colouring === 'track' ? fish.track : colouring === 'species' ? fish.species :
    intentions.includes(fish.intention) ? intentions.indexOf(fish.intention) : intentions.push(fish.intention) - 1;
  return (key * 137.508 + (colouring === 'track' ? 20 : 190)) % 360;
}
function tint(hue, light) {
  const part = (n) => { const k = (n + hue / 30) % 12, a = 0.62 * Math.min(light, 1 - light);
    return Math.round(255 * (light - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)))); };
  return [part(0), part(8), part(4)];
}
function colourOf(fish, light = 0.68) {
  const key = hueOf(fish) + ':' + light;
  if (!hues.has(key)) hues.set(key, tint(hueOf(fish), light));
  return hues.get(key);
}
const css = (rgb, alpha = 1) => 'rgba(' + rgb.join(',') + ',' + alpha + ')';

const veil = make('canvas');
function paintMasks() {
  const [wide, high] = SET.size, marks = shown.marks || (shown.marks = marksOf(shown));
  veil.width = wide; veil.height = high;
  const brush = veil.getContext('2d'), image = brush.createImageData(wide, high), data = image.data;
  const colours = shown.fishes.map((fish) => colourOf(fish));
  for (let p = 0, q = 0; p < marks.length; p++, q += 4) {
    const mark = marks[p];
    if (!mark) continue;
    const column = p % wide, rim = column && marks[p - 1] !== mark || column < wide - 1 && marks[p + 1] !== mark ||
      p >= wide && marks[p - wide] !== mark || p + wide < marks.length && marks[p + wide] !== mark;
    const [r, g, b] = colours[mark - 1], strong = focus() === shown.fishes[mark - 1];
    data[q] = r; data[q + 1] = g; data[q + 2] = b; data[q + 3] = rim ? 235 : strong ? 150 : focus() ? 50 : 95;
  }
  brush.putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(veil, 0, 0, canvas.width, canvas.height);
}
const focus = () => marked || pinned && shown.fishes.find((fish) => fish.track === pinned) || null;

function paint() {
  if (!shown) return;
  const [wide, high] = SET.size, room = $('room'), dots = window.devicePixelRatio || 1;
  const fit = Math.min((room.clientWidth - 2 * MARGIN) / wide, (room.clientHeight - 2 * MARGIN) / high);
  $('stage').style.width = wide * fit + 'px'; $('stage').style.height = high * fit + 'px';
  picture.style.imageRendering = fit * dots >= 3 ? 'pixelated' : 'auto';
  canvas.width = Math.round(wide * fit * dots); canvas.height = Math.round(high * fit * dots);
  const zoom = canvas.width / wide, thin = Math.max(1, 1.25 * dots);
  const crowd = shown.fishes.length > CROWD, taken = [];
  if (on.masks) paintMasks();
  for (const fish of shown.fishes) {
    if (!fish.box && !on.unseen) continue;
    const strong = focus() === fish;
    pen.globalAlpha = focus() && !strong ? 0.35 : 1;
    pen.lineWidth = strong ? 2 * thin : crowd ? 0.6 * thin : thin;
    pen.strokeStyle = css(colourOf(fish));
    if (on.whole || !fish.box) {
      pen.setLineDash([4 * dots, 4 * dots]);
      pen.strokeRect(...fish.whole.map((x) => x * zoom));
      pen.setLineDash([]);
    }
    if (fish.box && (on.boxes || strong)) pen.strokeRect(...fish.box.map((x) => x * zoom));
    if (on.points) paintPoints(fish, zoom, dots);
  }
  pen.globalAlpha = 1;
  for (const fish of shown.fishes) {
    const small = crowd && focus() !== fish && (fish.box || fish.whole)[2] * zoom < TAG_SIDE * dots;
    if (!small && (fish.box || on.unseen)) paintTag(fish, zoom, dots, taken, crowd);
  }
}

function paintPoints(fish, zoom, dots) {
  const points = fish.points, size = Math.max(0.9, Math.min(3.2, fish.whole[2] * zoom / dots / 40)) * dots;
  const long = 1.2 * Math.hypot(fish.whole[2], fish.whole[3]) + 4;
  pen.strokeStyle = css(colourOf(fish, 0.82), 0.9);
  pen.lineWidth = Math.max(0.6 * dots, size / 2.4);
  pen.beginPath();
  for (const [a, b] of SET.skeleton) {
    const [x, y, v] = points[a], [u, w, o] = points[b];
    if (!v || !o || Math.hypot(x - u, y - w) > long) continue;
    pen.moveTo(x * zoom, y * zoom); pen.lineTo(u * zoom, w * zoom);
  }
  pen.stroke();
  for (const [x, y, v] of points) {
    if (!v) continue;
    pen.beginPath(); pen.arc(x * zoom, y * zoom, size, 0, 7);
    pen.fillStyle = v === 2 ? css(colourOf(fish, 0.9)) : '#0b1217';
    pen.fill(); pen.stroke();
  }
}

function percent(share) { return share && share < 0.01 ? '<1 %' : Math.round(100 * share) + ' %'; }
function tagOf(fish) {
  return [on.tracks && '#' + fish.track, on.species && SET.species[fish.species], on.minds && fish.intention,
    on.hiding && fish.hidden > 0 && percent(fish.hidden) + ' hidden',
    on.hiding && fish.cut > 0 && percent(fish.cut) + ' cut off', !fish.box && 'not seen'].filter(Boolean).join('  ');
}
function paintTag(fish, zoom, dots, taken, crowd) {
  const text = tagOf(fish);
  if (!text || focus() && focus() !== fish) return;
  const [left, top, , tall] = fish.box || fish.whole, size = 11 * dots, pad = 4 * dots;
  pen.font = '500 ' + size + 'px system-ui, sans-serif';
  const wide = pen.measureText(text).width + 2 * pad, high = size + pad;
  const x = Math.max(0, Math.min(left * zoom - dots / 2, canvas.width - wide));
  const above = top * zoom - high, below = (top + tall) * zoom, within = (y) => y >= 0 && y <= canvas.height - high;
  const free = (y) => !taken.some(([u, w, long]) => x < u + long && u < x + wide && Math.abs(y - w) < high);
  const places = [above, below, top * zoom].filter(within), best = places.find(free);
  if (crowd && best === undefined) return;
  const y = best ?? places[0] ?? Math.max(0, Math.min(above, canvas.height - high));
  taken.push([x, y, wide]);
  pen.fillStyle = 'rgba(9,15,20,.78)';
  pen.beginPath(); pen.roundRect(x, y, wide, high, 2 * dots); pen.fill();
  pen.fillStyle = css(colourOf(fish, 0.8)); pen.textBaseline = 'middle';
  pen.fillText(text, x + pad, y + high / 2 + dots / 2);
}

function row(name, value) {
  const line = make('div'), term = make('dt'), text = make('dd');
  term.textContent = name; text.textContent = value; line.append(term, text);
  return line;
}
function number(value, digits, unit = '') { return value == null ? '-' : value.toFixed(digits) + unit; }
function describe() {
  const fish = focus(), box = $('fish');
  box.replaceChildren();
  box.hidden = !fish;
  if (!fish) return;
  const place = fish.box || fish.whole;  // beside the fish, not over it
  box.classList.toggle('left', place[0] + place[2] / 2 > SET.size[0] / 2);
  const names = new Map(shown.fishes.map((other) => [other.fish, '#' + other.track]));
  const title = make('h3');
  title.textContent = '#' + fish.track + '  ' + SET.species[fish.species];
  title.style.color = css(colourOf(fish, 0.76));
  const nameOf = (who) => who < 0 ? 'scenery' : names.get(who) || 'fish ' + who;
  const by = fish.by.map(([who, share]) => nameOf(who) + ' ' + percent(share));
  const list = make('dl');
  list.append(
    row('Seen', fish.box ? fish.pixels.toLocaleString('en') + ' px, ' + percent(fish.share) : 'nothing'),
    row('Hidden', fish.hidden ? percent(fish.hidden) + (by.length ? ' by ' + by.slice(0, 4).join(', ') : '') : '0 %'),
    row('Cut off', percent(fish.cut)), row('Length', number(fish.length, 3, ' m')), row('Sex', fish.sex || '-'),
    row('Intention', fish.intention || '-'), row('Speed', number(fish.speed, 2, ' lengths/s')),
    row('Hunger', number(fish.hunger, 2)), row('Fear', number(fish.fear, 2)), row('Libido', number(fish.libido, 2)));
  if (fish.tiny) list.append(row('Size', 'tiny, not scored'));
  box.append(title, list);
}

function listFishes() {
  const fishes = shown.fishes.filter((fish) => fish.box || on.unseen), list = $('fishes');
  const many = shown.fishes.filter((fish) => fish.box).length;
  $('count').textContent = many.toLocaleString('en') + (many === 1 ? ' fish seen' : ' fishes seen') +
    (shown.fishes.length > many ? ', ' + (shown.fishes.length - many) + ' wholly hidden' : '');
  list.replaceChildren(...fishes.slice(0, LISTED).map((fish) => {
    const line = make('li'), name = make('span'), size = make('small');
    line.style.setProperty('--tint', css(colourOf(fish)));
    line.classList.toggle('pinned', pinned === fish.track);
    name.textContent = '#' + fish.track + '  ' + SET.species[fish.species];
    size.textContent = fish.box ? fish.pixels.toLocaleString('en') + ' px' : 'hidden';
    line.append(name, size);
    line.onmouseenter = () => { marked = fish; paint(); describe(); };
    line.onmouseleave = () => { marked = null; paint(); describe(); };
    line.onclick = () => { pinned = pinned === fish.track ? null : fish.track; refresh(); };
    return line;
  }));
  if (fishes.length > LISTED) {
    const line = make('li');
    line.className = 'more'; line.textContent = 'and ' + (fishes.length - LISTED) + ' more';
    list.append(line);
  }
  $('events').textContent = shown.events.map(([kind, fish, other]) => kind + ': ' + [fish, other].filter(
    (who) => who != null && who >= 0).map((who) => { const of = shown.fishes.find((one) => one.fish === who);
      return of ? '#' + of.track : 'fish ' + who; }).join(', ')).join('; ');
}
function refresh() { paint(); listFishes(); describe(); }

function say(text) { $('missing').textContent = text; $('missing').hidden = !text; }

async function go(f, c, i) {
  const mine = ++turn, films = SET.films;
  film = (f + films.length) % films.length; camera = (c + SET.cameras.length) % SET.cameras.length;
  const frames = films[film].frames;
  at = Math.max(0, Math.min(i, frames.length - 1));
  $('film').value = film; $('camera').value = camera;
  $('slider').max = frames.length - 1; $('slider').value = at;
  $('frame').textContent = 'frame ' + frames[at] + '  ·  ' + (at + 1) + ' of ' + frames.length;
  const held = films[film].val;
  $('split').textContent = held === true || held.includes(frames[at]) ? 'validation' : 'training';
  history.replaceState(null, '', '#' + films[film].name + '/' + SET.cameras[camera] + '/' + frames[at]);
  try {
    const frame = await load(film, camera, at);
    if (mine !== turn) return;
    const next = new Image();  // so that picture and labels change at once
    next.src = frame.path;
    const missing = await next.decode().then(() => '', () => 'No picture ' + frame.path);
    if (mine !== turn) return;
    picture.src = frame.path; picture.alt = $('path').textContent = frame.path;
    marked = null; shown = frame;
    say(missing);
    refresh();
  } catch (error) {
    say('Cannot read ' + error.message);
  }
}
function play(start) {
  clearTimeout(player); player = 0;
  $('play').textContent = start ? 'Pause' : 'Play';
  if (!start) return;
  const step = async () => {
    const last = SET.films[film].frames.length - 1;
    await go(film, camera, at < last ? at + 1 : 0);
    if (player) player = setTimeout(step, 160);
  };
  player = setTimeout(step, 0);
}
function toggle(name) { on[name] = !on[name]; $('on-' + name).checked = on[name]; if (shown) refresh(); }

function fishAt(event) {
  const rect = canvas.getBoundingClientRect(), [wide, high] = SET.size;
  const x = (event.clientX - rect.left) * wide / rect.width, y = (event.clientY - rect.top) * high / rect.height;
  const marks = shown.marks || (shown.marks = marksOf(shown)), inside = x >= 0 && y >= 0 && x < wide && y < high;
  const mark = inside ? marks[Math.floor(y) * wide + Math.floor(x)] : 0;
  if (mark) return shown.fishes[mark - 1];
  const within = ([left, top, width, height]) => x > left && y > top && x < left + width && y < top + height;
  const near = shown.fishes.filter(({box}) => box && within(box));
  return near.sort((one, other) => one.pixels - other.pixels)[0] || null;
}
canvas.onmousemove = (event) => {
  if (!shown) return;
  const fish = fishAt(event);
  if (fish !== marked) { marked = fish; paint(); describe(); }
};
canvas.onmouseleave = () => { if (marked) { marked = null; paint(); describe(); } };
canvas.onclick = (event) => {
  if (!shown) return;
  const fish = fishAt(event);
  pinned = fish && pinned !== fish.track ? fish.track : null;
  refresh();
};

for (const [name, key, title] of LAYERS) {
  const label = make('label'), box = make('input'), text = make('span'), hint = make('kbd');
  box.type = 'checkbox'; box.id = 'on-' + name; box.checked = on[name];
  box.onchange = () => { on[name] = box.checked; box.blur(); if (shown) refresh(); };
  text.textContent = title;
  hint.textContent = key.toUpperCase();
  label.append(box, text, hint);
  $('layers').append(label);
}
function option(select, value, text) {
  const one = make('option');
  one.value = value; one.textContent = text;
  select.append(one);
}
SET.films.forEach((one, row) => option($('film'), row, one.name));
SET.cameras.forEach((name, row) => option($('camera'), row, name));
COLOURS.forEach(([value, text]) => option($('colour'), value, text));
$('film').onchange = (event) => { go(+event.target.value, camera, at); event.target.blur(); };
$('camera').onchange = (event) => { go(film, +event.target.value, at); event.target.blur(); };
$('colour').onchange = (event) => { colouring = event.target.value; event.target.blur(); if (shown) refresh(); };
$('slider').oninput = (event) => go(film, camera, +event.target.value);
$('slider').onchange = (event) => event.target.blur();
$('play').onclick = (event) => { play(!player); event.target.blur(); };
window.onresize = paint;
window.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = event.shiftKey ? 10 : 1, layer = LAYERS.find(([, key]) => key === event.key.toLowerCase());
  const moves = {ArrowRight: [0, 0, step], ArrowLeft: [0, 0, -step], ArrowDown: [1, 0, 0], ArrowUp: [-1, 0, 0]};
  if (moves[event.key]) { const [f, c, i] = moves[event.key]; go(film + f, camera + c, at + i); }
  else if (event.key.toLowerCase() === 'c') go(film, camera + (event.shiftKey ? -1 : 1), at);
  else if (event.key === 'Home') go(film, camera, 0);
  else if (event.key === 'End') go(film, camera, 1e9);
  else if (event.key === ' ') play(!player);
  else if (event.key === 'Escape') { pinned = null; if (shown) refresh(); }
  else if (layer) toggle(layer[0]);
  else return;
  event.preventDefault();
};
function fromAddress() {
  const [address, layers] = decodeURIComponent(location.hash.slice(1)).split('?');
  const [name, eye, frame] = address.split('/');
  for (const [layer, key] of layers ? LAYERS : []) $('on-' + layer).checked = on[layer] = layers.includes(key);
  const f = Math.max(SET.films.findIndex((one) => one.name === name), 0);
  go(f, Math.max(SET.cameras.indexOf(eye), 0), Math.max(SET.films[f].frames.indexOf(+frame), 0));
}
window.onhashchange = fromAddress;
fromAddress();
"""
"""The script, as a browser runs it."""
