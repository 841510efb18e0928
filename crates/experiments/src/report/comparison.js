// The page of `hexzero report`: charts that show the values under the mouse.

import { commas, rounded } from "../board_ui/text.js";

const data = JSON.parse(document.getElementById("run-data").textContent);

// Shows the values at the pointer below a chart.
const tellValues = (id, series) => {
  const chart = document.getElementById(id);
  const caption = chart.parentElement.querySelector("figcaption");
  const { left, right, top, bottom, low, high } = Object.fromEntries(
    Object.entries(chart.dataset).map(([name, value]) => [name, Number(value)]),
  );
  const clear = () => {
    chart.querySelector(".cursor")?.remove();
    caption.textContent = "";
  };
  const show = (event) => {
    const box = chart.getBoundingClientRect();
    const place = ((event.clientX - box.left) * chart.viewBox.baseVal.width) / box.width;
    const wanted = low + ((place - left) / (right - left)) * (high - low);
    const nearest = (points) => points.reduce((a, b) => (Math.abs(b[0] - wanted) < Math.abs(a[0] - wanted) ? b : a));
    const found = series.filter((one) => one.points.length).map((one) => [one.name, nearest(one.points)]);
    clear();
    if (!found.length) return;
    const at = found[0][1][0];
    const x = left + ((at - low) / (high - low)) * (right - left);
    chart.insertAdjacentHTML("beforeend", `<line class="cursor" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/>`);
    caption.textContent = `${rounded(at)}: ${commas(found.map(([name, point]) => `${name} ${rounded(point[1])}`))}`;
  };
  chart.addEventListener("pointermove", show);
  chart.addEventListener("pointerdown", show);
  chart.addEventListener("pointerleave", clear);
};

Object.entries(data.charts).forEach(([id, series]) => tellValues(id, series));
