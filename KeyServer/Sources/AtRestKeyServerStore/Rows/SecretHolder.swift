import AtRestCrypto

/// A secret that records, closures and tuples can hold.
final class SecretHolder: Sendable {
  let bytes: SecretBytes
  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
