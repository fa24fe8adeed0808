import { useState } from 'react';

export function LaptopSearch({ laptops }: { laptops: string[] }) {
  const [text, setText] = useState('');
  const found = laptops.filter((name) => name.toLowerCase().includes(text.toLowerCase()));

  return (
    <>
      <label>
        Search <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <ul>
        {found.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {found.length === 0 && <p>Nothing found</p>}
    </>
  );
}
