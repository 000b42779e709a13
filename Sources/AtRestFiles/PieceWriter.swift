import AtRestCrypto
import CAtRestSystem
import Foundation
import Synchronization

/// Seals a sequence of pieces into a new file.
final class PieceWriter: Sendable {
  private struct State: ~Copyable {
    // nil once finished.
    var file: NewFile?
    var position: UInt64
    var index: UInt64 = 0
    /// Bytes that do not fill a chunk yet, or may be the last chunk.
    let buffer: UnsafeMutableRawBufferPointer
    var count = 0
    let sealed: UnsafeMutableRawBufferPointer

    deinit {
      atrest_erase(buffer.baseAddress!, buffer.count)
      buffer.deallocate()
      sealed.deallocate()
    }
  }

  private let cipher: ChunkCipher
  private let state: Mutex<State>

  convenience init(
    _ files: ProtectedFiles, at url: URL, replacing: Bool, protection: FileProtection?
  ) throws {
    try self.init(files, path: url.path, protection: protection) {
      try NewFile(at: url.path, existing: replacing ? .replaced : .refused)
    }
  }

  /// Creates a writer of a new file in a folder that is held open.
  convenience init(_ files: ProtectedFiles, at entry: FolderEntry) throws {
    try self.init(files, path: entry.path, protection: nil) {
      try NewFile(at: entry, existing: .refused)
    }
  }

  private init(
    _ files: ProtectedFiles, path: String, protection: FileProtection?,
    begin: () throws -> sending NewFile
  ) throws {
    let (header, secrets) = try files.newFile(protection, name: path)
    let file = try begin()
    let key = try secrets.key()
    try file.file.write(header.encoded(fileKey: key.bytes), at: 0)
    cipher = try secrets.cipher(salt: header.identity)
    state = Mutex(
      State(
        file: file, position: UInt64(header.count),
        buffer: .allocate(byteCount: header.chunkSize, alignment: 64),
        sealed: .allocate(
          byteCount: header.chunkSize + ChunkCipher.overhead, alignment: 64)))
  }

  func append(_ piece: Data) throws {
    try state.withLock { state in
      try piece.withUnsafeBytes { bytes in
        var done = 0
        while done < bytes.count {
          if state.count == state.buffer.count { try seal(&state, isLast: false) }
          let part = min(bytes.count - done, state.buffer.count - state.count)
          UnsafeMutableRawBufferPointer(rebasing: state.buffer[state.count..<state.count + part])
            .copyPlaintext(from: UnsafeRawBufferPointer(rebasing: bytes[done..<done + part]))
          state.count += part
          done += part
        }
      }
    }
  }

  func finish() throws {
    try state.withLock { state in
      try seal(&state, isLast: true)
      try state.file?.commit()
      state.file = nil
    }
  }

  private func seal(_ state: inout State, isLast: Bool) throws {
    let sealed = UnsafeMutableRawBufferPointer(
      rebasing: state.sealed[..<(state.count + ChunkCipher.overhead)])
    try cipher.seal(
      UnsafeRawBufferPointer(rebasing: state.buffer[..<state.count]),
      place: ChunkCipher.Place(counter: state.index, index: state.index, isLast: isLast),
      into: sealed)
    try state.file?.file.write(UnsafeRawBufferPointer(sealed), at: state.position)
    state.position += UInt64(sealed.count)
    state.index += 1
    state.count = 0
  }
}
