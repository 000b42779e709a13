import AtRestCrypto
import AtRestKeybag
import Foundation

/// A file that was made under a name where another user may be able to put another file meanwhile.
struct MadeFile {
  let path: String
  /// The name that the file gets later, which messages show.
  private let place: String
  private let identity: FileIdentity?

  /// Makes the file with mode 0600. It must not exist.
  ///
  /// - Parameter place: The name that the file gets later, which messages show.
  init(
    _ path: String, for place: String, _ write: (Int32) throws -> Void = { _ in }
  ) throws {
    self.path = path
    self.place = place
    var identity: FileIdentity?
    try DurableFile.make(path, shown: place) { file in
      identity = FileIdentity(file)
      try write(file)
    }
    self.identity = identity
  }

  /// Returns true if another name of the file is known to be its own by now.
  func hasName(_ path: String) -> Bool { identity != nil && FileIdentity(path) == identity }

  /// Calls a closure with the file that was made.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if its name has another file.
  func open(_ body: (Int32) throws -> Void) throws {
    let file = SystemPath.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, identity != nil, FileIdentity(file) == identity else {
      throw AtRestError(
        .busy, "The copy \(path) was replaced by another program.",
        remedy: "Check who can write to its folder. The database was not modified.")
    }
    try body(file)
  }

  /// Waits until the contents are on the disk.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if its name has another file.
  func synchronize() throws {
    try open { guard fsync($0) == 0 else { throw SystemCall.error("write", place) } }
  }
}
