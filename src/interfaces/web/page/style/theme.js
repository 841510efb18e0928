// Runs before the page is drawn, so that it does not flash in the wrong colours.
try {
  const theme = JSON.parse(localStorage.getItem("hexzero.preferences"))?.theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // As the system has it.
}
