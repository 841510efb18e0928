// Lessons of the games in which stones and stacks move.

const INFEXION = [
  {
    size: 7,
    moves: "",
    text: "You are Red. A turn is one of two things. The first is to spawn: click any empty cell to put a stack of power 1 there.",
    answers: ["*"],
    right: "A stack shows its power as a number. All empty cells are open for spawning, until both colours together have a power of 49.",
  },
  {
    size: 7,
    moves: "s:3,2 s:3,3 s:0,0 s:5,5",
    show: true,
    text: "The second is to spread. Click your stack at 3,2: six arrows appear, one for each direction. Choose the arrow to the blue stack, or click that stack.",
    answers: ["m:3,2:DownRight"],
    right: "Your stack left its cell and gave its power to 3,3, which is yours now, with a power of 1 + 1.",
    wrong: "The blue stack beside 3,2 is at 3,3. Click 3,2, then 3,3.",
  },
  {
    size: 7,
    moves: "s:3,0 s:0,3 s:3,1 s:6,3 m:3,0:DownRight s:3,2 s:3,0 s:3,4 m:3,0:DownRight s:5,6",
    text: "A stack of power 3 reaches three cells: each gets one more power and becomes yours. Spread 3,1 towards the blue stacks.",
    answers: ["m:3,1:DownRight"],
    right: "Two blue stacks changed hands, and the empty cell between them got a new one.",
    wrong: "Two blue stacks lie in line with 3,1: at 3,2 and 3,4. Click 3,1, then 3,2.",
  },
  {
    size: 7,
    moves: "s:2,6 s:2,0 s:4,4 s:5,5",
    text: "The board has no edges: whatever leaves it on one side comes back on the opposite one. Your stack at 2,6 is a neighbour of 2,0. Take the blue stack there.",
    answers: ["m:2,6:DownRight"],
    right: "Over the rim and back: 2,0 is yours.",
    wrong: "Click 2,6, then 2,0 at the other end of its row.",
  },
  {
    size: 7,
    moves: "s:3,2 s:4,2",
    text: "You win when your opponent has nothing left. Blue has one stack, at 4,2. Take it.",
    answers: ["m:3,2:UpRight"],
    wins: true,
    right: "Blue has no power left, so Red wins.",
    wrong: "Blue is still there. Click 3,2, then the blue stack.",
  },
];

const FAN = [
  {
    size: 5,
    moves: "a3 c3 e1",
    show: true,
    text: "You are Black and have placed a stone on e1. Now another stone may step to a neighbouring cell, if that captures. Click a3, then b3: the step ends right in front of the white stone.",
    answers: ["m:a3-e"],
    right: "That is capture by approach. The white stone stays where it is and becomes yours.",
    wrong: "You may end your turn without a step, but this one captures: click a3, then b3.",
  },
  {
    size: 5,
    moves: "b3 a3 e5 - d3 e1",
    text: "A step straight away from a white stone captures it too. Step from b3 to c3: one white stone is behind you, one in front.",
    answers: ["m:b3-e"],
    right: "Both are yours: a3 by withdrawal and d3 by approach.",
    wrong: "You may end your turn without a step, but this one captures two stones: click b3, then c3.",
  },
  {
    size: 5,
    moves: "c1 e5 b4 e1 a3 - c3 - c2 - d5 - a5",
    text: "White's stone at c3 is in the middle of your way. Capture it by a step, and your sides are connected.",
    answers: ["m:a3-e"],
    wins: true,
    right: "The captured stone completes your chain: Black wins.",
    wrong: "Step with a3: from b3 it captures c3 by approach.",
  },
];

const LINK = [
  {
    size: 5,
    moves: "c3",
    text: "You are Black and have placed a stone on c3. After placing you may move. A single stone moves one cell: click c3, then one of the cells that light up.",
    answers: ["m:*"],
    right: "The first click selects the stone, the second says where it ends up. A click on the stone again cancels.",
    wrong: "You need not move, but try it: click c3, then a cell beside it.",
  },
  {
    size: 6,
    moves: "a3 - e6 - b3",
    show: true,
    text: "Stones in a line move together, up to as many cells as they are. Move a3 and b3 by two cells: click a3, the last stone, then c3, where it ends up.",
    answers: ["m:a3-e-2"],
    right: "Both stones moved two cells: the last one to c3, the first one to d3.",
    wrong: "Click a3, then c3: you say where the last stone of the line ends up.",
  },
  {
    size: 6,
    moves: "a3 - d3 - b3",
    text: "A line pushes the enemy stones that it meets if they are fewer. Two against one: move a3 and b3 by two cells again.",
    answers: ["m:a3-e-2"],
    right: "The white stone was pushed from d3 to e3. Nothing is ever pushed off the board.",
    wrong: "Click a3, then c3.",
  },
  {
    size: 5,
    moves: "c1 - e1 - b4 - e2 - a5 - e4 - a3 - d5 - c2",
    text: "A placement and a movement together close two gaps. You have just closed one with c2. Close the other one by a movement.",
    answers: ["m:a3-e-1"],
    wins: true,
    right: "The chain is complete: Black wins. If you do not want to move, press “Move nothing”.",
    wrong: "The gap is at b3. Click a3, then b3.",
  },
];

const DOZER = [
  {
    size: 6,
    moves: "a3 b5 b3 f5 c3 d3",
    show: true,
    text: "You are Black. A turn is a stone or a push. Your line of three stands against one white stone: click a3, its last stone, then c3, where that stone ends up.",
    answers: ["p:a3-e"],
    right: "Three against one: the line moves two cells, one for each stone that it has more, and shoves the white stone along.",
    wrong: "You may place a stone, but try the push: click a3, then c3.",
  },
  {
    size: 6,
    moves: "b3 d3 c3 e3 a1 f6",
    text: "Two against two: your line at b3 and c3 cannot push d3 and e3. Make it longer from behind.",
    answers: ["a3"],
    right: "Now it is three against two, and you threaten to push.",
    wrong: "The line is still too short. Place a stone on a3, behind b3.",
  },
  {
    size: 5,
    moves: "b3 e3 c3 a5 d3 a1",
    text: "A white stone at the edge can be pushed off the board. Push from b3.",
    answers: ["p:b3-e"],
    right: "e3 is off the board, and the line stopped at the edge.",
    wrong: "Click b3, the last stone of the line, then c3, where it ends up.",
  },
];

export const MOVING = { infexion: INFEXION, fan: FAN, link: LINK, dozer: DOZER };
