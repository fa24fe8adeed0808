const laptop = {
  cores: 4,
  describe() {
    return `${this.name}, ${this.cores} cores`;
  },
};
const eliteBook = Object.create(laptop);
eliteBook.name = 'EliteBook 840';

eliteBook.describe(); // → 'EliteBook 840, 4 cores'
Object.keys(eliteBook); // → ['name']

eliteBook.cores = 8;
eliteBook.describe(); // → 'EliteBook 840, 8 cores'
laptop.cores; // → 4

delete eliteBook.cores;
eliteBook.cores; // → 4
