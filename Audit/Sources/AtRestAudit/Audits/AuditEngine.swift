import AtRestAuditModel
import AtRestFormats
import Foundation

/// Reads files and judges them: the languages and the rules behind an audit.
package protocol AuditEngine: Sendable {
  /// The content of a file that was read.
  associatedtype Content: Sendable

  /// The rulebook.
  var rules: [Rule] { get }

  /// Reads one file. It is called from several threads at once.
  func read(_ file: AuditFile, _ data: Data) -> Reading<Content>

  /// Judges everything that was read.
  func judge(
    _ readings: [Reading<Content>], _ settings: Settings, _ surroundings: Surroundings
  ) throws -> Judgement
}
