const emptyBasket = { items: [] };
const ada = Object.create(emptyBasket);
const ben = Object.create(emptyBasket);
ada.items.push('EliteBook');
ben.items; // → ['EliteBook']

const stock = { HP: 8 };
'constructor' in stock; // → true
Object.hasOwn(stock, 'constructor'); // → false

const sent = JSON.parse('{ "__proto__": { "isAdmin": true } }');
Object.assign({}, sent).isAdmin; // → true
({ ...sent }).isAdmin; // → undefined
