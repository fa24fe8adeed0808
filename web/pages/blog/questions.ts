/** The four questions of the blog, in display order. */
export const questions = {
  state: {
    id: 'state-management',
    question: 'How is state managed in a React application?',
    summary:
      'Most state is not what it seems: a copy of the server’s, part of the address, or no state at all. What remains fits a reducer or twenty lines of store.',
  },
  prototypes: {
    id: 'prototypal-inheritance',
    question: 'How does prototypal inheritance work?',
    summary:
      'Objects in JavaScript inherit from objects. Once the chain is clear, classes, shadowing and the two classic traps explain themselves.',
  },
  unitTests: {
    id: 'unit-tests',
    question: 'What is a unit test, and why write one?',
    summary:
      'A unit test is a sentence about your code that a machine checks. How to write ones that find mistakes, and which ones to leave out.',
  },
  frameworks: {
    id: 'angular-react-vue',
    question: 'Angular, React or Vue: what is the difference?',
    summary:
      'The same search field three times, what each framework decides for you, and how to choose between them in 2026.',
  },
} as const;

/** The publication date of all articles. */
export const published = '2026-11-20';
