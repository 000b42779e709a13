import CAtRestSystem
import Crypto
import Foundation

/// A ``SecretBytes`` that several owners share, erased when the last one releases it.
package final class SecretBox: Sendable {
  package let bytes: SecretBytes
  package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
