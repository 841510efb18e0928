// Shows the game on the board and beside it: which parts of the page are visible, and which buttons are enabled.

import { find } from "../board_ui/elements.js";
import { isWithFriend } from "../game/games.js";
import { hasPlayed } from "../game/savedGames.js";
import { keep } from "../game/storage.js";
import { ofGame as mistakesOf } from "../own_play/mistakes.js";
import { showExplorer } from "../panels/explorer.js";
import { showAnalysis, showEditor, showPlayers, showStatus } from "../panels/panel.js";
import { showReview } from "../panels/reviewPanel.js";
import { playing } from "../text/sentences.js";

// The buttons that are disabled while a position is being set up.
const NOT_IN_EDITOR = ["undo", "redo", "raise", "delete", "hint", "resign", "first", "back", "forward", "last", "analyse"];

// Returns what shows the game. `actions` are those of the buttons beside the sentence, as offers.js has them.
export const screenOf = (parts, actions) => {
  const { session, connection, view, editor, home, offers, moveList, chart, comments, lessons, openings } = parts;
  const { analyst, reviewer, whatIf, preferences } = parts;

  // True during the first game of its kind in this browser.
  const offersLesson = () => {
    const { game, result, allEngines, setup } = session;
    if (result || allEngines || setup.opened || !lessons.has(game) || lessons.isFinished(game)) return false;
    return !hasPlayed(session.about, game);
  };

  const showControls = () => {
    const { current, setup, game, isExercise } = session;
    const { shared } = setup;
    find("undo").disabled = !session.history.undoable;
    find("redo").disabled = !session.history.redoable;
    find("hint").disabled = !session.mayPlay || session.isEngineBusy || !connection.ready || isExercise || !session.mayUseEngine;
    // A link cannot carry a resignation.
    find("resign").disabled = !session.resigner || (isWithFriend(session) && !shared);
    find("first").disabled = find("back").disabled = current.ply === 0;
    find("last").disabled = find("forward").disabled = !current.next();
    find("delete").disabled = current.ply === 0 || Boolean((isExercise || shared) && current.isWithin(session.tip));
    // In games with an engine "Play from here" takes its place.
    find("raise").hidden = !session.allPeople || isExercise;
    find("raise").disabled = session.tree.isMain(current);
    comments.show();
    find("playing").textContent = playing(game, setup.size);
  };

  // While a position is being set up, one can only look through the game's moves.
  const showWhileEditing = () => {
    showEditor(offers, editor);
    for (const id of NOT_IN_EDITOR) find(id).disabled = true;
    find("findings").hidden = find("openings-toggle").hidden = true;
    find("searched").textContent = "";
    find("playing").textContent = playing(editor.game, editor.setup.size);
  };

  // Shows what was found by the analysis, the review and the opening map.
  const showFindings = () => {
    const isReviewed = Boolean(reviewer.progress || reviewer.review);
    openings.follow();
    const isMapped = openings.applies && preferences.get("openings");
    find("openings-toggle").hidden = !openings.applies;
    find("openings-note").hidden = !isMapped;
    find("openings-note").textContent = isMapped ? openings.description : "";
    if (isMapped) showExplorer(find("explorer"), session, openings);
    else find("explorer").hidden = true;
    find("findings").hidden = !analyst.on && !isReviewed && !isMapped;
    for (const id of ["lines", "on-board", "legend", "chances"]) find(id).hidden = !analyst.on;
    find("add-line").disabled = !session.current.analysis?.lines.length || Boolean(session.current.state.outcome);
    find("chart").hidden = !analyst.on && !isReviewed;
    showReview(session, reviewer, whatIf);
    find("analyse").disabled = !session.mayUseEngine;
    for (const id of ["analyse", "hint"]) find(id).title = session.mayUseEngine ? "" : "The engine does not help while you play a friend";
    find("analyse").setAttribute("aria-checked", String(analyst.on));
    session.analysing = analyst.on;
    if (analyst.on || isReviewed) {
      showAnalysis(session, analyst);
      chart.show(session, reviewer.mistakes);
    }
    if (!analyst.on) find("searched").textContent = "";
    view.showMarks();
  };

  const show = () => {
    if (!session.tree) return;
    view.show();
    if (editor.active) return showWhileEditing();
    showPlayers(find("players"), session);
    showStatus(offers, session, {
      ...actions,
      isReviewable: reviewer.canStart && connection.ready && !session.isExercise,
      hasLesson: offersLesson(),
      hasMistakes: Boolean(reviewer.review && mistakesOf(session, reviewer).length),
    });
    if (!home.isOpen) document.title = `${find("title").textContent} · hexzero`;
    showControls();
    moveList.show(session, reviewer);
    reviewer.follow();
    analyst.follow();
    showFindings();
    document.documentElement.classList.remove("unready");
  };

  // Turns the analysis on or off.
  const analyse = (on) => {
    analyst.on = on;
    keep("analysing", on);
    show();
  };

  return { show, showFindings, analyse };
};
