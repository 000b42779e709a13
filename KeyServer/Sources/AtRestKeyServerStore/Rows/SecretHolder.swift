import AtRestCrypto

/// A secret that records, closures and tuples can hold.
package final class SecretHolder: Sendable {
  package let bytes: SecretBytes
  package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
