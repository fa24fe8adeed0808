import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import {
  isPhotoKey,
  masterKey,
  mediaTypeOf,
  photoUrl,
  recordKey,
  variantKey,
} from '#server/listings/photos/rules.ts';
import { openDiskStorage, type PhotoStorage } from '#server/listings/photos/storage.ts';
import type { Manifest } from '#server/operations/backup/archive.ts';
import { type ArchiveSource, archiveFile } from '#server/operations/backup/archive.ts';
import { createBackupFile } from '#server/operations/backup/backup.ts';
import { type RestoreOptions, restore } from '#server/operations/backup/restore.ts';
import { createObjectStorage } from '#server/providers/object-storage.ts';
import type { ObjectStore } from '../listings/object-storage.ts';
import { createTestDatabase } from '../platform/postgres.ts';

/** A shop's database and photo storage, without a server. */
export interface SampleShop {
  url: string;
  photos: PhotoStorage;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Inserts laptops with these names, each with its own photo. */
  list(...names: string[]): Promise<void>;
  /** Returns rows and photos for comparison. */
  contents(): Promise<{ rows: string[]; photos: Record<string, string> }>;
  backUp(file: string): Promise<Manifest>;
  /** @param options.elsewhere whether the photos are stored by another image host */
  restore(
    file: string | ArchiveSource,
    options?: RestoreOptions & { elsewhere?: boolean },
  ): Promise<Manifest>;
}

/** Two databases that tests reuse with new photo storages, because creating a database is slow. */
export interface SampleShops {
  folder: string;
  /** Empties a database and gives it a new photo storage. It replaces the earlier shop of that database. */
  open(which: 'source' | 'target', kind: 'disk' | 'bucket'): Promise<SampleShop>;
  /** Opens a source shop with laptops named "Laptop 0", "Laptop 1" and so on. */
  createFilled(kind: 'disk' | 'bucket', laptops?: number): Promise<SampleShop>;
  /** Returns the path of a file that does not exist yet. */
  newPath(): string;
  /** Lists the files in the path's folder whose names start with the path's name. */
  filesAt(file: string): Promise<string[]>;
  /** Drops the databases and removes the photos. */
  close(): Promise<void>;
}

/** Returns the storage keys and the stored URL of a laptop's photo. */
export function laptopPhoto(name: string) {
  const hash = createHash('sha256').update(name).digest('hex');
  const photo = { hash, width: 640, height: 480, blur: '0'.repeat(36) };
  const [master, record] = [masterKey(photo), recordKey(hash)];
  return {
    ...photo,
    master,
    record,
    variant: variantKey(photo, photo.width, 'webp'),
    url: photoUrl('', photo),
  };
}

function sampleShop(url: string, photos: PhotoStorage, secretFile: string): SampleShop {
  const query: SampleShop['query'] = async (text, values = []) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  };

  async function list(...names: string[]): Promise<void> {
    for (const name of names) {
      const { master, record, ...photo } = laptopPhoto(name);
      await photos.put(master, Buffer.from(`the photo of ${name}`.repeat(50)), mediaTypeOf(master));
      await photos.put(record, Buffer.from(JSON.stringify(photo)), mediaTypeOf(record));
    }
    await query(
      `insert into photos (hash, state) select unnest($1::text[]), 'listed' on conflict (hash) do nothing`,
      [names.map((name) => laptopPhoto(name).hash)],
    );
    await query(
      `with seller as (
         insert into users (email, name, is_seller) values ('kept@seller.example', 'Kept Seller', true)
         on conflict (email) do update set name = excluded.name returning id)
       insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
           resale_price_cents, posted_time, use_time, mobile_number, condition)
         select 'HP', id, listed.name, 'Lisbon', array[image], '"text"', 90000, 54999, '', '', '', 'Good'
           from seller, unnest($1::text[], $2::text[]) as listed (name, image)`,
      [names, names.map((name) => laptopPhoto(name).url)],
    );
  }

  async function contents() {
    const rows = await query(
      `select to_jsonb(laptops)::text as row from laptops
        union select to_jsonb(laptop_photos)::text from laptop_photos
        union select to_jsonb(users)::text from users order by 1`,
    );
    const kept: Record<string, string> = {};
    for await (const key of photos.keys()) {
      if (!isPhotoKey(key)) continue;
      const found = await photos.get(key);
      if (found !== null) kept[key] = (await buffer(found.stream)).toString('utf8');
    }
    return { rows: rows.map(({ row }) => String(row)), photos: kept };
  }

  return {
    url,
    photos,
    query,
    list,
    contents,
    backUp: (file) =>
      createBackupFile(
        { connectionString: url, photos, secretFile: null, secretFingerprint: 'the same' },
        file,
      ),
    restore: (file, { elsewhere = false, ...options } = {}) =>
      restore(
        {
          connectionString: url,
          photos: elsewhere ? null : photos,
          secretFile,
          configuredFingerprint: 'the same',
          origin: 'http://127.0.0.1',
        },
        typeof file === 'string' ? archiveFile(file) : file,
        options,
      ),
  };
}

/** Creates the two databases. @param store required for shops with their photos in a bucket */
export async function createSampleShops(store?: ObjectStore): Promise<SampleShops> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-samples-'));
  const databases = { source: await createTestDatabase(), target: await createTestDatabase() };
  const buckets: ReturnType<typeof createObjectStorage>[] = [];
  let count = 0;

  async function openBucket(name: string): Promise<PhotoStorage> {
    if (store === undefined) throw new Error('There is no object store in this test.');
    const storage = createObjectStorage(await store.bucket(name));
    buckets.push(storage);
    return storage;
  }

  async function open(which: 'source' | 'target', kind: 'disk' | 'bucket'): Promise<SampleShop> {
    count += 1;
    const photos =
      kind === 'disk'
        ? await openDiskStorage(join(folder, `photos-${count}`))
        : await openBucket(`shop-${count}`);
    const shop = sampleShop(databases[which].url, photos, join(folder, 'secret'));
    // Faster than TRUNCATE for few rows.
    await shop.query('delete from laptops; delete from users; delete from photos');
    return shop;
  }

  return {
    folder,
    open,
    async createFilled(kind, laptops = 3) {
      const shop = await open('source', kind);
      await shop.list(...Array.from({ length: laptops }, (_, number) => `Laptop ${number}`));
      return shop;
    },
    newPath() {
      count += 1;
      return join(folder, `${count}.tar`);
    },
    filesAt: async (file) => (await readdir(folder)).filter((name) => name.startsWith(basename(file))),
    async close() {
      for (const bucket of buckets) bucket.close();
      await databases.source.drop();
      await databases.target.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
