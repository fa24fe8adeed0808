class Laptop {
  constructor(name) {
    this.name = name;
  }
  describe() {
    return this.name;
  }
}
class CheckedLaptop extends Laptop {
  describe() {
    return `${super.describe()}, checked`;
  }
}
const swift = new CheckedLaptop('Swift 3');

swift.describe(); // → 'Swift 3, checked'
typeof Laptop; // → 'function'
Object.hasOwn(swift, 'name'); // → true
Object.hasOwn(swift, 'describe'); // → false
Object.getPrototypeOf(swift) === CheckedLaptop.prototype; // → true
Object.getPrototypeOf(CheckedLaptop.prototype) === Laptop.prototype; // → true
