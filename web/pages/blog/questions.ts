/** The four questions of the blog, in display order. */
export const questions = {
  state: {
    id: 'state-management',
    question: 'How is state managed in a React application?',
    summary:
      'Most state is a copy of the server’s, part of the URL, or no state at all. The rest fits a reducer or twenty lines of store.',
  },
  prototypes: {
    id: 'prototypal-inheritance',
    question: 'How does prototypal inheritance work?',
    summary:
      'Objects in JavaScript inherit from objects. How the prototype chain works, and what it means for classes, shadowing and two common mistakes.',
  },
  unitTests: {
    id: 'unit-tests',
    question: 'What is a unit test, and why write one?',
    summary: 'What a unit test is, how to write ones that find mistakes, and which ones to leave out.',
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
