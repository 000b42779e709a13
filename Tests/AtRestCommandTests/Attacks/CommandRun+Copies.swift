import Foundation
import Testing

extension CommandRun {
  /// A copy of the store's folder, of the device folder, or of both, as a disk image has them.
  struct Copy {
    let run: CommandRun
    let name: String

    /// Runs the command on the copy. A folder that was not copied does not exist there.
    func callAsFunction(_ arguments: String..., input: String? = nil) throws -> Result {
      try run.run(
        arguments, input: input,
        with: ["ATREST_STORE": path("store"), "ATREST_DEVICE": path("device")])
    }

    func path(_ folder: String) -> String {
      run.folder.appendingPathComponent("\(name)/\(folder)").path
    }
  }

  /// Copies folders of this store to another folder.
  func copied(_ folders: [String] = ["store", "device"], to name: String) throws -> Copy {
    let copy = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for part in folders {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(part), to: copy.appendingPathComponent(part))
    }
    return Copy(run: self, name: name)
  }

  /// Puts folders of a copy in the place of this store's.
  func putBack(_ copy: Copy, _ folders: [String]) throws {
    for part in folders {
      let place = folder.appendingPathComponent(part)
      try FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: URL(fileURLWithPath: copy.path(part)), to: place)
    }
  }

  /// Puts the contents of one file in the place of another one's.
  func replace(_ name: String, by other: String) throws {
    try #require(contents(other)).write(to: folder.appendingPathComponent(name))
  }
}
