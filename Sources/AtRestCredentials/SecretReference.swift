import AtRestCrypto
import AtRestKeychain
import Foundation

/// A reference to a secret in text: `atrest://service/account`, with `?group=` for an access group.
///
/// Each part is percent-encoded, so a service that contains a slash is written with `%2F`.
package struct SecretReference: Equatable {
  package static let scheme = "atrest://"

  package let service: String
  package let account: String
  package let group: String?

  package var key: PrimaryKey { .genericPassword(service: service, account: account, group: group) }

  /// Creates a reference from its text. Returns nil if the text has another scheme.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the text has the scheme but another form.
  package init?(_ text: some StringProtocol) throws {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let rest = text.dropFirst(Self.scheme.count)
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.removingPercentEncoding ?? "" }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains("\0") }) else {
      throw Self.malformed
    }
    (service, account) = (parts[0], parts[1])
    guard halves.count == 2 else {
      group = nil
      return
    }
    let name = "group="
    guard halves[1].hasPrefix(name),
      let group = halves[1].dropFirst(name.count).removingPercentEncoding, !group.isEmpty
    else { throw Self.malformed }
    self.group = group
  }

  private static let malformed = AtRestError.invalid(
    "A reference to a secret has the wrong form.",
    remedy: "Write atrest://service/account, with %2F for a slash and ?group= for an access group.")
}
