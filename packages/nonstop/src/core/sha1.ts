/** FIPS 180-4 §4.1.1 and §4.2.1: the function and the constant of each quarter of a block's 80 steps. */
function mixed(step: number, b: number, c: number, d: number): number {
  if (step < 20) return (d ^ (b & (c ^ d))) + 0x5a827999;
  if (step < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (step < 60) return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** How many blocks of 64 octets a message has, with its padding bit and length (FIPS 180-4 §5.1.1). */
export function blocksOf(octets: number): number {
  return ((octets + 8) >> 6) + 1;
}

/** SHA-1 (FIPS 180-4 §6.1) in its plain form, 3 to 7 times slower than OpenSSL's. Used for the first few hashes only. */
export function sha1(octets: Uint8Array): Buffer {
  const { length } = octets;
  const padded = Buffer.alloc(blocksOf(length) * 64);
  padded.set(octets);
  padded[length] = 0x80;
  padded.writeUIntBE(length * 8, padded.length - 6, 6);
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words: number[] = [];
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d, e] = state;
    for (let step = 0; step < 80; step++) {
      words[step] =
        step < 16
          ? padded.readInt32BE(block + step * 4)
          : rotated(words[step - 3] ^ words[step - 8] ^ words[step - 14] ^ words[step - 16], 1);
      const first = (rotated(a, 5) + mixed(step, b, c, d) + e + words[step]) | 0;
      e = d;
      d = c;
      c = rotated(b, 30);
      b = a;
      a = first;
    }
    state = [a, b, c, d, e].map((word, place) => (word + state[place]) | 0);
  }
  for (const [place, word] of state.entries()) padded.writeInt32BE(word, place * 4);
  return padded.subarray(0, 20);
}
