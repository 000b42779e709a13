extension XMLElement {
  /// All attributes in the order of the file, with their entities resolved.
  package var attributes: [(name: String, value: String)] {
    let range = tree.nodes[Int(index)].attributes
    return tree.attributes[range.asInt].map { record in
      (
        String(decoding: tree.bytes[record.name.asInt], as: UTF8.self),
        XMLEntities.decode(tree.bytes, record.value.asInt)
      )
    }
  }
}
