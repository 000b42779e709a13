import Security
import Testing

/// Tests Core Foundation's functions for data.
@Suite struct DataTests {
  @Test func dataIsChangedInPlace() {
    let data = CFDataCreateMutable(nil, 0)
    CFDataAppendBytes(data, [1, 2, 3], 3)
    CFDataReplaceBytes(data, CFRangeMake(1, 1), [7, 8], 2)
    #expect(data as Data? == Data([1, 7, 8, 3]))
    CFDataDeleteBytes(data, CFRangeMake(0, 2))
    #expect(data as Data? == Data([8, 3]))
    CFDataGetMutableBytePtr(data)[0] = 9
    CFDataIncreaseLength(data, 1)
    #expect(data as Data? == Data([9, 3, 0]))
    CFDataSetLength(data, 1)
    #expect(data as Data? == Data([9]))
  }

  @Test func aCopyIsIndependent() {
    let data = CFDataCreateMutableCopy(nil, 0, Data([1, 2, 3]) as CFData)
    let copy = CFDataCreateCopy(nil, data)
    CFDataSetLength(data, 0)
    #expect(CFDataGetLength(copy) == 3)
    var part: [UInt8] = [0, 0]
    CFDataGetBytes(copy, CFRangeMake(1, 2), &part)
    #expect(part == [2, 3])
    #expect(CFDataGetBytePtr(copy)[2] == 3)
  }
}
