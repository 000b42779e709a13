import Testing

@Suite struct ObjectiveCMessageTests {
  @Test(arguments: [
    ("[a b]", "a.b()"),
    ("[a b:c]", "a.b(c)"),
    ("[a b:c d:e]", "a.b(c, d: e)"),
    ("[a b:c, d, nil]", "a.b(c, d, nil)"),
    ("[[a b] c:[d e]]", "a.b().c(d.e())"),
    ("[[[[a b] c] d] e:[[f g] h:i]]", "a.b().c().d().e(f.g().h(i))"),
    ("[super viewDidLoad]", "super.viewDidLoad()"),
    ("[self.password.text length]", "self.password.text.length()"),
    ("[_items[0] name]", "_items[0].name()"),
    ("[(NSString *)x length]", "(x as NSString).length()"),
    ("[((Login *)self.login) pin]", "(self.login as Login).pin()"),
    ("[(id)x foo]", "x.foo()"),
    ("[(x) foo]", "x.foo()"),
    ("[(Foo) bar:1]", "Foo.bar(1)"),
    ("[(Foo)bar baz]", "bar.baz()"),
    ("[NSArray<NSString *> array]", "NSArray.array()"),
    ("[NSMutableDictionary<NSString *, NSArray<id> *> new]", "NSMutableDictionary.new()"),
    ("[a initWithFrame:(frame) style:s]", "a.initWithFrame(frame, style: s)"),
    ("[a b:x ? y : z c:d]", "a.b((x ? y : z), c: d)"),
    ("[a b:x ? (T)y : (U)z c:d]", "a.b((x ? y : z), c: d)"),
    ("[a b:(int)c d:(NSString *)e]", "a.b(c, d: (e as NSString))"),
    ("[a if:b for:c default:d]", "a.if(b, for: c, default: d)"),
    ("[a class]", "a.class()"),
    ("[a b:c :d]", "a.b(c, d)"),
    ("[a b:^(id x) { [x y]; } c:nil]", "a.b({ x in x.y() }, c: nil)"),
    ("[a b:@[@1, @2] c:@{@\"k\": d}]", "a.b([1, 2], c: [\"k\": d])"),
    ("[a b:&error]", "a.b(&error)"),
    ("[a b:c].d.e", "a.b(c).d.e"),
    ("[a b](x)", "a.b()(x)"),
    (
      "[[NSUserDefaults standardUserDefaults] setObject:x forKey:@\"k\"]",
      "NSUserDefaults.standardUserDefaults().setObject(x, forKey: \"k\")"
    ),
    (
      "[NSString stringWithFormat:@\"%@ %d\", a, b + 1]",
      "NSString.stringWithFormat(\"%@ %d\", a, (b + 1))"
    ),
  ])
  func messageIsACallOfAMember(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.expression(text) == expected)
  }

  @Test func messageOverSeveralLinesIsOne() {
    let text = """
      [data writeToFile:path
                options:NSDataWritingAtomic // not protected
                  error:&error];
      """
    #expect(
      ObjectiveCText.statements(text)
        == "data.writeToFile(path, options: NSDataWritingAtomic, error: &error)")
  }
}
