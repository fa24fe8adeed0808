export default function Page() {
  return <h1 className="text-3xl">Add Product</h1>;
}
