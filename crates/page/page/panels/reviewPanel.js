// Shows a review beside the board: how well each player played, and the verdict on the move looked at.

import { find, html, tableOf } from "../board_ui/elements.js";
import { capital, commas, counted, list, percent, percentFine } from "../board_ui/text.js";
import { FAULTS } from "../game/reviewer.js";
import { effects, short, spoken } from "../text/moves.js";
import { distances } from "../text/sentences.js";

// The key moments: the moves that lost the most.
const MAX_MOMENTS = 6;

// Explains the figures of a review.
const [mildest, ...worse] = Object.values(FAULTS);
const LEGEND = [
  "Accuracy is 100% if every move was the best.",
  `${mildest.mark} marks a move that lost at least ${percent(mildest.least)} of win rate,`,
  `${commas(worse.map(({ mark, least }) => `${mark} ${percent(least)}`))}.`,
].join(" ");

const accuracyText = (accuracy) => (accuracy === null ? "–" : percentFine(accuracy / 100));

// A table of how well each player played; without a review, with room for it.
const accounts = (players) => {
  const faults = Object.values(FAULTS);
  const titles = faults.map(({ mark, many }) => [html("span", { class: "word" }, `${capital(many)} `), html("b", {}, mark)]);
  const rows = players.map((player) => [
    capital(player.player),
    player.accuracy === undefined ? "" : accuracyText(player.accuracy),
    ...faults.map(({ many }) => String(player[many] ?? "")),
  ]);
  return tableOf(["Player", "Accuracy", ...titles], rows);
};

const INVERSE = { won: "lost", lost: "won", drawn: "drawn" };

// A proven result, for the player whose it is.
const proven = ({ value, plies }) => ({ won: "a win", lost: "a loss", drawn: "a draw" })[value] + (plies ? ` in ${plies}` : "");

// Describes how a move changed its player's result: the win rate, or what is proven.
export const resultChange = ({ player, before, after, proven_before: first, proven_after: then }, { to_move: next, outcome }) => {
  if (outcome) return outcome.winner === null ? "it ends the game in a draw" : outcome.winner === player ? "it wins the game" : "it loses the game";
  const mine = then && next ? proven(next === player ? then : { ...then, value: INVERSE[then.value] }) : null;
  const [was, is] = [first ? proven(first) : percent(before), mine ?? percent(after)];
  if (first && mine) return `${player} had ${was}, and now has ${is}`;
  if (first) return `${player} had ${was}, and now has a win rate of ${is}`;
  if (mine) return `${player} had a win rate of ${was}, and now has ${is}`;
  return was === is ? `${player}'s win rate stays at ${is}` : `${player}'s win rate goes from ${was} to ${is}`;
};

// A move with what it does, if that is known: "the answer e4 stops red's threat to win in 2".
const withEffects = (session, what, position, move, whatIf) => {
  const state = whatIf.after(position, move);
  const found = state ? effects(session, position.state, state) : [];
  return found.length ? `${what} ${list(found)}` : null;
};

// Returns the verdict on the move to a position. `answer` is the best one to it, where it is known.
const remark = (session, reviewed, answer, whatIf) => {
  const { current } = session;
  const { state } = current;
  const { fault } = reviewed;
  const [move, best] = [reviewed.move, reviewed.best].map((one) => spoken(session, one));
  if (fault) {
    const answered = answer && spoken(session, answer);
    return [
      `${move} is ${FAULTS[fault].words}: ${resultChange(reviewed, state)}`,
      answer && (withEffects(session, `The answer ${answered}`, current, answer, whatIf) ?? `The answer is ${answered}`),
      withEffects(session, `Best was ${best}, which`, current.parent, reviewed.best, whatIf) ?? `Best was ${best}`,
    ].filter(Boolean).map((words) => `${words}.`).join(" ");
  }
  const isBest = move === best;
  const words = `${move} is ${isBest ? "the best move" : "good"}: ${resultChange(reviewed, state)}.`;
  return isBest ? words : `${words} Best was ${best}.`;
};

// The whole review in a sentence, for those who listen.
export const summary = ({ players }) =>
  players
    .map((player) => {
      const faults = commas(Object.entries(FAULTS).map(([one, { many }]) => counted(player[many], one, many)));
      return `${capital(player.player)}: accuracy ${accuracyText(player.accuracy)}, ${faults}.`;
    })
    .join(" ");

// The key moments, in their order, as buttons.
const showMoments = (host, session, reviewer) => {
  const loss = (position) => reviewer.reviewOf(position).loss;
  const worst = reviewer.mistakes.sort((a, b) => loss(b) - loss(a)).slice(0, MAX_MOMENTS);
  const row = (position) => {
    const { ply, move, player, fault, before, after } = reviewer.reviewOf(position);
    return html(
      "button",
      { type: "button", class: `moment ${session.side(player)}`, "aria-current": position === session.current ? "step" : null },
      html("span", { class: "unseen" }, "Move "),
      html("span", { class: "quiet" }, String(ply)),
      html("span", { class: "unseen" }, `: ${player} `),
      html("b", {}, short(session, move)),
      html("span", { class: "mistake" }, FAULTS[fault].mark),
      html("span", { class: "fall" }, `${percent(before)} → ${percent(after)}`),
    );
  };
  const positions = worst.sort((a, b) => a.ply - b.ply);
  host.replaceChildren(...positions.map((position) => html("li", {}, row(position))));
  host.positions = positions;
};

export const showReview = (session, reviewer, whatIf) => {
  const { progress, review } = reviewer;
  find("reviewing").hidden = !progress;
  if (progress) {
    find("review-progress").max = progress.of;
    find("review-progress").value = progress.done;
    find("review-count").textContent = `${progress.done} of ${progress.of}`;
  }
  for (const id of ["review", "accounts", "moments"]) find(id).hidden = !review && !progress;
  showMoments(find("moments"), session, reviewer);
  find("reviewed").hidden = !review;
  const players = review?.players ?? session.players.map((player) => ({ player }));
  if (find("accounts").players !== players) find("accounts").replaceChildren(...accounts(players));
  find("accounts").players = players;
  find("verdict").hidden = true;
  if (!review) return;
  find("reviewed").dataset.visits = review.visits;
  find("next-mistake").disabled = !reviewer.next();
  find("previous-mistake").disabled = !reviewer.previous();
  // While another move is tried, the verdict on the last one is hidden.
  const reviewed = session.retrying ? null : reviewer.reviewOf(session.current);
  for (const id of ["show-better", "try-again"]) find(id).disabled = (!reviewed && !session.retrying) || session.replying;
  find("try-again").textContent = session.retrying ? "Try again" : "Try another move";
  const answer = session.current.children.find((child) => reviewer.reviewOf(child));
  const verdict = reviewed && remark(session, reviewed, answer && reviewer.reviewOf(answer).best, whatIf);
  // At the end of the game an upright telephone sums it up first.
  find("verdict").hidden = !reviewed;
  find("verdict").textContent = session.current === session.tip ? summary(review) : verdict;
  find("remark").textContent = reviewed
    ? verdict
    : session.current.parent
      ? distances(session.current.state, session.players) || (session.retrying ? "" : "This position is not part of the reviewed game.")
      : `${LEGEND} The engine searched ${counted(review.visits, "visit", "visits")} per position.`;
  // Keys scroll what does not fit.
  find("remark").tabIndex = find("remark").scrollHeight > find("remark").clientHeight ? 0 : -1;
};
