import AtRestCrypto
import Foundation

/// A row whose contents were opened.
struct Row: Sendable {
  let id: Data
  let owner: Data
  let time: Int64
  let edition: Int64
  let contents: SecretHolder
}
