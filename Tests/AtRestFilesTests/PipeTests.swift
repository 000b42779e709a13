import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// Pipes as input and output, at the boundaries of chunks and batches.
@Suite struct PipeTests {
  private static let batch = 49_136 * 5
  static let sizes = [
    0, 1, 49_135, 49_136, 49_137, batch - 1, batch, batch + 1, 2 * batch - 1, 2 * batch,
    2 * batch + 1,
  ]

  @Test(arguments: sizes) func bytesGoThroughPipesBothWays(_ size: Int) throws {
    let folder = try TestFolder()
    let files = ProtectedFiles(folder.keybag)
    let data = Data(repeating: 7, count: size) + Data("x".utf8)
    let plain = data.prefix(size)
    let into = Pipe.giving(plain)
    let sealed = Pipe()
    let reader = PipeReader(sealed)
    let counts = try files.protect(
      .descriptor(into.fileHandleForReading.fileDescriptor),
      to: .descriptor(sealed.fileHandleForWriting.fileDescriptor))
    let stored = reader.finish()
    #expect(counts.read == UInt64(size) && counts.written == UInt64(stored.count))
    // The same bytes as a file, and back through pipes.
    try stored.write(to: folder.path("a"))
    #expect(try files.read(folder.path("a")) == plain)
    let back = Pipe.giving(stored)
    let out = Pipe()
    let plainReader = PipeReader(out)
    let again = try files.unprotect(
      .descriptor(back.fileHandleForReading.fileDescriptor),
      to: .descriptor(out.fileHandleForWriting.fileDescriptor))
    #expect(plainReader.finish() == plain)
    #expect(again.written == UInt64(size) && again.read == UInt64(stored.count))
  }

  @Test func aFileThatWasChangedInPlaceGoesThroughAPipe() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(3_000), to: folder.path("a"))
    let handle = try folder.files.open(folder.path("a"), for: .updating)
    try handle.write(Data("changed".utf8), at: 1_020)
    try handle.close()
    let expected = try folder.files.read(folder.path("a"))
    let pipe = Pipe.giving(try folder.stored("a"))
    try folder.files.unprotect(
      .descriptor(pipe.fileHandleForReading.fileDescriptor), to: .file(folder.path("b")))
    #expect(try folder.stored("b") == expected)
    try folder.files.unprotect(.data(folder.stored("a")), to: .file(folder.path("c")))
    #expect(try folder.stored("c") == expected)
  }

  @Test(arguments: [0, 7, 8, 63, 64, 255, 256, 271, 272, 1_295, 1_296, 2_000])
  func aPipeThatEndsEarlyIsRefused(_ count: Int) throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(3_000), to: folder.path("a"))
    let pipe = Pipe.giving(try folder.stored("a").prefix(count))
    #expect(
      refusal {
        try folder.files.unprotect(
          .descriptor(pipe.fileHandleForReading.fileDescriptor), to: .file(folder.path("b")))
      } == (count < 8 ? .notProtected : .damaged))
    #expect(folder.names == ["a"])
  }

  @Test func aNamedPipeIsReadToItsEnd() throws {
    let folder = try TestFolder()
    let fifo = folder.path("fifo")
    #expect(mkfifo(fifo.path, 0o600) == 0)
    let data = TestFolder.bytes(200_000)
    Thread {
      let end = open(fifo.path, O_WRONLY)
      try? FileHandle(fileDescriptor: end, closeOnDealloc: true).write(contentsOf: data)
    }.start()
    #expect(try folder.files.protect(.file(fifo), to: .file(folder.path("a"))).read == 200_000)
    #expect(try folder.files.read(folder.path("a")) == data)
    // No file is written in its place.
    #expect(refusal { try folder.files.write(data, to: fifo) } == .invalidArgument)
    #expect(refusal { try folder.files.open(fifo) } == .invalidArgument)
  }

  @Test func aFullDeviceIsSaid() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(3_000), to: folder.path("a"))
    let full = open("/dev/full", O_WRONLY)
    guard full >= 0 else { return }
    defer { close(full) }
    #expect(
      refusal {
        try folder.files.unprotect(.file(folder.path("a")), to: .descriptor(full))
      } == .system)
    #expect(
      refusal { try folder.files.protect(.data(Data("x".utf8)), to: .descriptor(full)) }
        == .system)
  }
}
