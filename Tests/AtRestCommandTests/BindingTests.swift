#if os(Linux)
  import Foundation
  import Testing

  /// The program binds all calls at its start. A later binding would save registers, with their
  /// contents, on the stack.
  @Suite struct BindingTests {
    @Test func theProgramIsBoundAtItsStart() throws {
      let program = try Data(contentsOf: CommandRun.binary())
      #expect(try isBoundAtStart(program))
    }

    /// Control: this check finds that other programs of the build are not bound at their start.
    @Test func anotherProgramIsNot() throws {
      let folder = try CommandRun.binary().deletingLastPathComponent()
      let worker = folder.appendingPathComponent("atrest-torture-worker")
      #expect(try !isBoundAtStart(Data(contentsOf: worker)))
    }

    /// Reads the flags in the dynamic section of a 64-bit ELF file.
    private func isBoundAtStart(_ program: Data) throws -> Bool {
      func number<T: FixedWidthInteger>(_ offset: Int, _: T.Type) -> Int {
        program.withUnsafeBytes {
          Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: offset, as: T.self))
        }
      }
      try #require(program.prefix(5) == Data([0x7f, 0x45, 0x4c, 0x46, 2]))
      let table = number(32, UInt64.self)
      let headers = (0..<number(56, UInt16.self)).map { table + $0 * number(54, UInt16.self) }
      let section = try #require(headers.first { number($0, UInt32.self) == 2 })
      let start = number(section + 8, UInt64.self)
      for entry in stride(from: start, to: start + number(section + 32, UInt64.self), by: 16) {
        let value = number(entry + 8, UInt64.self)
        switch number(entry, UInt64.self) {
        // DT_BIND_NOW, DF_BIND_NOW in DT_FLAGS, and DF_1_NOW in DT_FLAGS_1.
        case 24: return true
        case 30 where value & 8 != 0: return true
        case 0x6fff_fffb where value & 1 != 0: return true
        default: continue
        }
      }
      return false
    }
  }
#endif
