#if os(Linux)
  import AtRestCrypto
  import AtRestDatabase
  import Foundation
  import Testing

  /// A database that gets a new key keeps its access list (POSIX ACL), and gets none from its folder.
  struct AccessListTests {
    private typealias Set =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
      ) -> Int32
    private typealias Get =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
      ) -> Int

    /// Version 2, and entries of tag, permissions and user: the owner, user 1234, the group, the mask, others.
    private static let list: [UInt8] =
      [2, 0, 0, 0]
      + [(1, 6, 0), (2, 4, 1_234), (4, 0, 0), (16, 4, 0), (32, 0, 0)].flatMap {
        (tag, permissions, user) -> [UInt8] in
        let isUser = tag == 2
        return [UInt8(tag), 0, UInt8(permissions), 0]
          + (isUser
            ? [UInt8(user & 255), UInt8(user >> 8), 0, 0] : [255, 255, 255, 255])
      }

    private static func function<Function>(_ name: String) throws -> Function {
      unsafeBitCast(try #require(dlsym(nil, name)), to: Function.self)
    }

    /// Returns false if the file system has no access lists.
    private static func set(_ kind: String, _ path: String) throws -> Bool {
      let call: Set = try function("setxattr")
      return call(path, "system.posix_acl_\(kind)", list, list.count, 0) == 0
    }

    private static func list(_ path: String) throws -> [UInt8] {
      let call: Get = try function("getxattr")
      var bytes = [UInt8](repeating: 0, count: 1_000)
      let count = call(path, "system.posix_acl_access", &bytes, bytes.count)
      return count < 0 ? [] : Array(bytes.prefix(count))
    }

    private func rekey(_ scratch: Scratch) throws {
      try EncryptedDatabase.rekey(
        at: scratch.file, key: Scratch.rawKey(),
        to: .raw(SecretBytes(Data(repeating: 9, count: 32))))
    }

    @Test func theListStays() throws {
      let scratch = try Scratch()
      try EncryptedDatabase.create(at: scratch.file, key: Scratch.rawKey())
      guard try Self.set("access", scratch.file.path) else { return }
      #expect(try Self.list(scratch.file.path) == Self.list)
      try rekey(scratch)
      #expect(try Self.list(scratch.file.path) == Self.list)
    }

    @Test func aListOfTheFolderIsNotTaken() throws {
      let scratch = try Scratch()
      try EncryptedDatabase.create(at: scratch.file, key: Scratch.rawKey())
      #expect(chmod(scratch.file.path, 0o640) == 0)
      guard try Self.set("default", scratch.folder.path) else { return }
      try rekey(scratch)
      #expect(try Self.list(scratch.file.path) == [])
      // Control: a new file takes it.
      let other = scratch.folder.appendingPathComponent("other.db")
      try EncryptedDatabase.create(at: other, key: Scratch.rawKey())
      #expect(try !Self.list(other.path).isEmpty)
    }
  }
#endif
