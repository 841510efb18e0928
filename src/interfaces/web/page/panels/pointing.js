// Shows on the board what somebody points at in the panel: a line of the analysis, or what a button would do.

// Lines and buttons alike are pointed at by the mouse and by the focus.
const IN = ["pointerover", "focusin"];

export const showPointed = (find, session, view) => {
  const lines = find("lines");
  const moveOf = (event) => event.target.closest(".line")?.dataset.move ?? null;
  for (const type of IN) lines.addEventListener(type, (event) => view.point(moveOf(event)));
  for (const type of ["pointerleave", "focusout"]) lines.addEventListener(type, () => view.point(null));
  // A finger cannot hover: it shows a line first, and plays it when it comes again.
  let shownBefore = null;
  lines.addEventListener("pointerdown", () => (shownBefore = view.pointed));
  lines.addEventListener("click", (event) => {
    const move = moveOf(event);
    if (move === null) return;
    if (event.pointerType === "touch" && shownBefore !== move) view.point(move);
    else session.play(move);
  });
  for (const type of [...IN, "pointerout", "focusout"]) {
    find("offers").addEventListener(type, (event) => {
      const button = event.target.closest("[data-move]");
      if (button) view.preview(IN.includes(type) ? button.dataset.move : null);
    });
  }
};
