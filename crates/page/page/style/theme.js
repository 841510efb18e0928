// Runs before the page is drawn, so that it does not flash in the wrong colours.
try {
  const { theme, board } = JSON.parse(localStorage.getItem("hexzero.preferences")) ?? {};
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (board) document.documentElement.dataset.board = board;
} catch {
  // As the system has it.
}

// Browsers load no modules from a folder, so that nothing else of the page would run.
if (location.protocol === "file:") {
  addEventListener("DOMContentLoaded", () => {
    const away = document.getElementById("away");
    away.textContent = "Open this page through a web server, such as 'hexzero serve site FOLDER --serve'.";
    away.hidden = false;
  });
}

// A button that is clicked before the page's scripts have loaded is pressed again once they have.
addEventListener("click", ({ target }) => {
  if (!window.isWired) window.earlyClick = target.closest?.("button[id]")?.id ?? window.earlyClick;
}, true);
