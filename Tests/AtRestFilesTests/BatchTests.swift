import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct BatchTests {
  @Test(arguments: [1, 5, 300]) func manyFilesGoAndComeBack(_ count: Int) throws {
    let folder = try TestFolder()
    let names = (0..<count).map { "f\($0)" }
    for (index, name) in names.enumerated() {
      try TestFolder.bytes(index * 7).write(to: folder.path(name))
    }
    let protected = folder.files.protect(
      names.map { .init(from: .file(folder.path($0)), to: .file(folder.path($0 + ".p"))) })
    for (index, result) in protected.enumerated() {
      #expect(try result.get().read == UInt64(index * 7))
    }
    let opened = folder.files.unprotect(
      names.map { .init(from: .file(folder.path($0 + ".p")), to: .file(folder.path($0 + ".o"))) })
    for (index, result) in opened.enumerated() {
      #expect(try result.get().written == UInt64(index * 7))
      #expect(
        try Data(contentsOf: folder.path(names[index] + ".o")) == TestFolder.bytes(index * 7))
    }
    #expect(folder.names.count == 3 * count)
  }

  @Test func oneFailureStopsNoOther() throws {
    let folder = try TestFolder()
    try Data("a".utf8).write(to: folder.path("a"))
    try Data("b".utf8).write(to: folder.path("b"))
    try Data("taken".utf8).write(to: folder.path("b.p"))
    let results = folder.files.protect(
      ["a", "missing", "b"].map {
        .init(from: .file(folder.path($0)), to: .file(folder.path($0 + ".p")))
      })
    #expect(refusal { try results[0].get() } == nil)
    #expect(refusal { try results[1].get() } == .notFound)
    #expect(refusal { try results[2].get() } == .duplicate)
    #expect(try Data(contentsOf: folder.path("b.p")) == Data("taken".utf8))
    #expect(folder.names == ["a", "a.p", "b", "b.p"])
  }
}
