export default function Page() {
  return <h1 className="text-3xl">All Sellers</h1>;
}
