// Draws the plots of a report from the JSON that stands in the page. Without it the tables remain.
'use strict';
(() => {
  const report = JSON.parse(document.getElementById('report').textContent);
  const place = document.getElementById('plots');
  const runs = report.runs;
  const sweep = runs.length > 0 && report.plan.sweep.on;
  const chosen = { metric: 'first_text', figure: 'ended' };
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  let plots = [];

  // -- texts -------------------------------------------------------------------------------------

  const digits = (value) => Number(value.toPrecision(3)).toString();

  function duration(ns) {
    if (ns === null || ns === undefined) return '';
    const units = [['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]];
    const [name, scale] = units.find(([, size]) => ns >= size) ?? units[3];
    return `${digits(ns / scale)} ${name}`;
  }

  function count(value) {
    if (value === null || value === undefined) return '';
    if (value >= 1e6) return `${digits(value / 1e6)}M`;
    return value >= 1e4 ? `${digits(value / 1e3)}k` : digits(value);
  }

  function percentile(x) {
    if (x === null || x === undefined) return '';
    return `${Number((100 - 100 / 10 ** x).toFixed(Math.max(0, Math.ceil(x) - 1)))} %`;
  }

  // -- colours -----------------------------------------------------------------------------------

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /** A colour per thing; many runs go from blue to red. */
  function colour(index, total) {
    if (total <= 9) return style(`--s${index + 1}`);
    const hue = 220 + (140 * index) / (total - 1);
    return `hsl(${hue} 65% ${scheme.matches ? 68 : 42}%)`;
  }

  // -- plots -------------------------------------------------------------------------------------

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  /** A list to choose from, whose choice is kept when all is drawn anew. */
  function choice(name, label, values) {
    const list = element('select');
    for (const value of values) {
      list.append(element('option', { value }, value.replaceAll('_', ' ')));
    }
    list.value = chosen[name];
    list.addEventListener('change', () => {
      chosen[name] = list.value;
      drawAll(`select[data-name=${name}]`);
    });
    list.dataset.name = name;
    return element('label', {}, `${label} `, list);
  }

  /** Keeps the powers of ten of a logarithmic axis, where there are enough of them. */
  function powers(u, splits) {
    const isPower = (log) => Math.abs(log - Math.round(log)) < 1e-6;
    const kept = splits.map((v) => (isPower(Math.log10(v)) ? v : null));
    return kept.filter((v) => v !== null).length > 1 ? kept : splits;
  }

  const side = { x: 2, y: 3, right: 1 };

  function axis(scale, { text, log, splits }) {
    const filter = log ? powers : undefined;
    const line = { stroke: style('--line'), width: 1, ...(log && { filter }) };
    return {
      scale, side: side[scale], stroke: style('--faint'), font: '12px system-ui, sans-serif',
      values: (_, at) => at.map((v) => (v === null ? '' : text(v))), size: scale === 'x' ? 34 : 64,
      grid: { ...line, show: scale !== 'right' }, ticks: line,
      ...(log && { filter }), ...(splits && { splits }),
    };
  }

  /** The arrow keys move the cursor, and the legend's names are switches. */
  function reachByKeys(figure, plot) {
    let at = -1;
    figure.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || event.target !== figure) return;
      event.preventDefault();
      const xs = plot.data[0];
      at = Math.min(Math.max(at + step, 0), xs.length - 1);
      plot.setCursor({ left: plot.valToPos(xs[at], 'x'), top: plot.bbox.height / 4 });
    });
    figure.querySelectorAll('.u-series th').forEach((name, index) => {
      if (index === 0) return;
      name.tabIndex = 0;
      name.setAttribute('role', 'button');
      name.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        plot.setSeries(index, { show: !plot.series[index].show });
      });
    });
  }

  /**
   * Adds a plot. `lines` have label, xs, ys and perhaps colour, width, dash, right (the axis) and
   * points; `x`, `y` and `right` say how values read: {text, log, label, splits}.
   */
  function plot(title, lines, { x, y, right, mark, chooser }) {
    if (lines.length === 0) return;
    const caption = element('figcaption', {}, element('h3', {}, title));
    if (chooser) caption.append(chooser);
    const label = `${title}. The tables below have the figures. Arrow keys move the cursor.`;
    const reachable = { tabindex: '0', role: 'group', 'aria-label': label };
    const figure = element('figure', reachable, caption);
    place.append(figure);
    const data = uPlot.join(lines.map((line) => [line.xs, line.ys]));
    const scale = ({ log, range }) => ({ distr: log ? 3 : 1, ...(range && { range }) });
    const fromZero = (_, low, high) => [0, high > 0 ? high * 1.1 : 1];
    const ground = (how) => scale({ ...how, range: how.log ? undefined : fromZero });
    const axes = [axis('x', x), axis('y', y)];
    const scales = { x: { time: false, ...scale(x) }, y: ground(y) };
    if (right) {
      axes.push(axis('right', right));
      scales.right = ground(right);
    }
    const series = [{ label: x.label, value: (_, v) => x.text(v) }];
    lines.forEach((line, index) => series.push({
      label: line.label, scale: line.right ? 'right' : 'y', spanGaps: true,
      stroke: line.colour ?? colour(index, lines.length), width: line.width ?? 1.75,
      dash: line.dash, points: { show: line.points ?? false, size: 6 },
      value: (_, v) => (line.right ? right : y).text(v),
    }));
    const size = () => ({ width: Math.max(280, figure.clientWidth - 30), height: 300 });
    const hooks = mark ? { draw: [(u) => drawMark(u, mark)] } : {};
    const cursor = { points: { size: 7 }, drag: { x: true, y: false } };
    const made = new uPlot({ ...size(), series, axes, scales, hooks, cursor }, data, figure);
    reachByKeys(figure, made);
    plots.push({ made, size });
  }

  /** A line across the plot, at a value of x. */
  function drawMark(u, at) {
    const left = Math.round(u.valToPos(at, 'x', true));
    u.ctx.save();
    u.ctx.strokeStyle = style('--bad');
    u.ctx.lineWidth = 2;
    u.ctx.setLineDash([6, 5]);
    u.ctx.beginPath();
    u.ctx.moveTo(left, u.bbox.top);
    u.ctx.lineTo(left, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  const metricsOf = (run) => Object.keys(run.times);
  const allMetrics = [...new Set(runs.flatMap(metricsOf))];
  const nanoseconds = { text: duration, log: true };

  /** The axis of HdrHistogram: as much room for 90 to 99 % as for 99 to 99.9 %. */
  function percentileLine(times, label, more) {
    const points = times.percentiles;
    const most = Math.log10(Math.max(times.count, 1.0001));
    const xs = points.map(([q]) => (q < 1 ? Math.min(-Math.log10(1 - q), most) : most));
    const ys = points.map(([, ns]) => Math.max(ns, 1));
    const kept = xs.map((_, i) => i).filter((i) => i === 0 || xs[i] > xs[i - 1]);
    return { label, xs: kept.map((i) => xs[i]), ys: kept.map((i) => ys[i]), ...more };
  }

  function wide(index) {
    return index === report.main_run ? { width: 3 } : {};
  }

  function drawPercentiles() {
    const splits = (u, _, low, high) => [...Array(Math.floor(high) + 1).keys()];
    const x = { text: percentile, label: 'percentile', splits };
    if (runs.length === 1) {
      const more = (name) => (['schedule_delay', 'lag'].includes(name) ? { dash: [4, 4] } : {});
      const lines = metricsOf(runs[0]).map((name) =>
        percentileLine(runs[0].times[name], name, more(name)));
      return plot('Latency by percentile', lines, { x, y: nanoseconds });
    }
    if (!allMetrics.includes(chosen.metric)) [chosen.metric] = allMetrics;
    const lines = runs
      .map((run, index) => [run, index])
      .filter(([run]) => run.times[chosen.metric])
      .map(([run, index]) => percentileLine(run.times[chosen.metric], run.name, {
        ...wide(index), colour: colour(index, runs.length),
      }));
    const chooser = choice('metric', 'of', allMetrics);
    return plot('Latency by percentile', lines, { x, y: nanoseconds, chooser });
  }

  const seconds = (run) => run.timeline.map((_, index) => index + 1);

  function drawTime() {
    const x = { text: (v) => (v === null ? '' : `${count(v)} s`), label: 'second' };
    const line = (run, figure, label, more) =>
      ({ label, xs: seconds(run), ys: run.timeline.map((row) => row[figure]), ...more });
    const timed = runs.filter((run) => run.timeline.length > 0);
    if (timed.length === 0) return;
    if (runs.length === 1) {
      plot('Turns per second', [
        line(runs[0], 'started', 'started', {}),
        line(runs[0], 'ended', 'ended', { width: 2.5 }),
        line(runs[0], 'failed', 'failed', { colour: style('--bad') }),
      ], { x, y: { text: count } });
      plot('Turns under way, and tokens per second', [
        line(runs[0], 'running', 'running', {}),
        line(runs[0], 'tokens', 'tokens/s', { right: true }),
      ], { x, y: { text: count }, right: { text: count } });
    } else {
      const chooser = choice('figure', 'show', ['started', 'ended', 'failed', 'running', 'tokens']);
      const lines = timed.map((run) =>
        line(run, chosen.figure, run.name, wide(runs.indexOf(run))));
      plot('Over time', lines, { x, y: { text: count }, chooser });
    }
    const late = timed.map((run) => ({
      label: runs.length === 1 ? 'first_text p99' : run.name, xs: seconds(run),
      ys: run.timeline.map((row) => row.first_text_p99_ns || null), ...wide(runs.indexOf(run)),
    }));
    if (late.some((each) => each.ys.some(Boolean))) {
      plot('First text, p99 of each second', late, { x, y: nanoseconds });
    }
  }

  function drawQuantiles(line, x, mark) {
    if (allMetrics.length === 0) return;
    if (!allMetrics.includes(chosen.metric)) [chosen.metric] = allMetrics;
    const quantiles = [['p50', 'p50_ns'], ['p99', 'p99_ns'], ['p99.9', 'p99_9_ns']];
    const lines = quantiles.map(([label, member]) =>
      line(label, (run) => run.times[chosen.metric]?.[member] ?? null));
    const chooser = choice('metric', 'of', allMetrics);
    plot('Load and latency', lines, { x, y: nanoseconds, mark, chooser });
  }

  function drawFrontier() {
    const xs = runs.map((run) => run.load);
    const x = { text: count, label: report.load_unit, log: xs.at(-1) / xs[0] >= 20 };
    const mark = report.knee || undefined;
    const given = report.plan.sweep.steps.length > 0;
    const line = (label, value, more) =>
      ({ label, xs, ys: runs.map(value), points: true, ...more });
    const bad = { colour: style('--bad'), dash: [4, 4] };
    plot(given ? 'Load and throughput' : 'The frontier: load and throughput', [
      line('turns/s', (run) => run.turns_per_second, { width: 2.5 }),
      line('good turns/s', (run) => run.good_turns_per_second),
      line('failed/s', (run) => (run.seconds > 0 ? run.failed / run.seconds : null), bad),
    ], { x, y: { text: count }, mark });
    drawQuantiles(line, x, mark);
    if (!runs.some((run) => run.cpu_per_turn_ns > 0)) return;
    const faint = { colour: style('--faint'), dash: [2, 4] };
    plot('Load and the cost of a turn', [
      line('CPU per turn', (run) => run.cpu_per_turn_ns || null, { width: 2.5 }),
      line('CPU per token', (run) => run.cpu_per_token_ns || null, { right: true, dash: [6, 4] }),
      ...(given ? [line('a turn, 20 % above the first', () => 1.2 * runs[0].cpu_per_turn_ns || null,
        { ...faint, points: false })] : []),
    ], { x, y: { text: duration }, right: { text: duration }, mark });
  }

  function drawAll(focus) {
    plots.forEach(({ made }) => made.destroy());
    plots = [];
    place.replaceChildren();
    if (runs.length === 0) return;
    if (sweep) drawFrontier();
    drawPercentiles();
    if (!sweep) drawTime();
    if (focus) place.querySelector(focus)?.focus();
  }

  if (typeof uPlot === 'undefined') return;
  drawAll();
  scheme.addEventListener('change', () => drawAll());
  let waiting = 0;
  window.addEventListener('resize', () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => plots.forEach(({ made, size }) => made.setSize(size())));
  });
  document.documentElement.dataset.drawn = String(plots.length);
})();
