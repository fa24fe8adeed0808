export default function Page() {
  return <h1 className="text-3xl">My Buyers</h1>;
}
