extension HTMLPage {
  static let style = """
    :root{--ink:#1b1d21;--paper:#fff;--soft:#5b616b;--line:#d5d9e0;--code:#f4f5f7;--link:#0b57d0;
    --high:#b3261e;--medium:#8a5300;--low:#1a5fb4;--note:#4a5560;--mark:#ffe28a;--bar:#b9c1cc}
    @media screen and (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#16181c;
    --soft:#a3aab5;--line:#383d45;--code:#1f2228;--link:#8ab4f8;--high:#ff8a80;--medium:#ffb74d;
    --low:#82b1ff;--note:#b0bec5;--mark:#5c4a00;--bar:#565d68}}
    *{box-sizing:border-box}
    html{scroll-padding-top:1rem}
    body{margin:0 auto;max-width:70rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;
    color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
    a{color:var(--link)}
    h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}
    h2{font-size:1.25rem;margin:2.5rem 0 .75rem}
    h3{font-size:1.05rem;margin:1.5rem 0 .5rem}
    h4{font-size:1rem;margin:0}
    code,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85em}
    .skip{position:absolute;left:-100rem}.skip:focus{left:1rem;top:.25rem}
    .counts{display:flex;flex-wrap:wrap;gap:.25rem 2rem;list-style:none;padding:0;margin:.5rem 0}
    .counts b{font-size:1.6rem}
    .high{color:var(--high)}.medium{color:var(--medium)}.low{color:var(--low)}
    .note{color:var(--note)}
    .severity{font-weight:700}
    .soft,.place,.kept,output,figcaption{color:var(--soft)}
    .warning{border-left:4px solid var(--high);padding-left:.75rem}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:1rem 0 0}
    table{border-collapse:collapse}
    th,td{text-align:left;vertical-align:top;padding:.35rem 1rem .35rem 0;
    border-bottom:1px solid var(--line)}
    th:last-child,td:last-child{padding-right:0}
    thead th,td{overflow-wrap:normal}
    tbody th{font-weight:400}tbody th .soft{display:block}
    .number{text-align:right}
    .filters{background:var(--paper);border:solid var(--line);border-width:1px 0;
    padding:.6rem 0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
    @media(min-width:60rem) and (min-height:40rem){.filters{position:sticky;top:0;z-index:1}
    .filters~#list article,.filters~#list{scroll-margin-top:8rem}}
    fieldset{border:0;padding:0;margin:0;min-width:0;display:flex;flex-wrap:wrap;gap:0 .7rem}
    legend{float:left;padding:0 .5rem 0 0;color:var(--soft)}
    input,select,button{font:inherit;max-width:100%}
    label{max-width:100%}select{max-width:16rem}
    kbd{border:1px solid var(--line);border-radius:.2rem;padding:0 .3em}
    article{border-left:3px solid var(--line);padding:.2rem 0 .2rem 1rem;margin:1rem 0;
    content-visibility:auto;contain-intrinsic-size:auto 11rem}
    article:focus,article:target{border-color:var(--link);outline:0}
    article p,article ol{margin:.25rem 0}
    pre{background:var(--code);padding:.5rem .75rem;border-radius:.3rem;margin:.5rem 0;
    white-space:pre-wrap;line-height:1.45}
    .line{display:block;min-height:1lh}
    .code .line{padding-left:3rem;text-indent:-3rem}
    .code .line::before{content:attr(data-number);display:inline-block;width:2.4rem;
    margin-right:.6rem;text-indent:0;text-align:right;color:var(--soft)}
    .sides{display:grid;gap:0 2rem}.sides>div{min-width:0}
    @media(min-width:60rem){.sides{grid-template-columns:1fr 1fr}}
    .verdict{font-size:1.1rem;margin:.75rem 0}
    .advice{margin:.25rem 0}.advice p{margin:.35rem 0}.advice summary,.more summary{color:var(--soft)}
    .side{margin:.25rem 0;font-weight:700}
    .wide{overflow-x:auto}.matrix td,.matrix th{min-width:8rem}
    .matrix td{overflow-wrap:anywhere}
    .matrix ul{margin:0;padding:0;list-style:none}.present{color:var(--high)}
    .hex{overflow-wrap:normal}.hex span{display:block}
    @media(max-width:44rem){.hex{font-size:.75rem}.hex span+span{margin-top:.3rem}}
    .group{content-visibility:auto;contain-intrinsic-size:auto 40rem}
    mark{background:var(--mark);color:inherit;border-radius:.15rem}
    details{margin:.5rem 0}summary{cursor:pointer}
    .class{border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem}
    .class summary>.soft{display:block}.class summary>b{word-break:break-all}
    .bar{display:flex;height:.6rem;margin-top:.35rem;background:var(--code);border-radius:.3rem;
    overflow:hidden}
    .bar i{background:var(--bar)}.bar .affected{background:var(--high)}
    .files{padding:0;list-style:none;margin:.5rem 0 0}
    .files li{padding:.25rem 0;border-top:1px solid var(--line)}
    .found{font-weight:700;color:var(--high)}
    .snapshots{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:1rem}
    figure{margin:0;font-size:.85rem}
    img{display:block;max-width:100%;max-height:20rem;border:1px solid var(--line);
    border-radius:.3rem;margin-bottom:.25rem}
    dt{font-weight:600;margin-top:.75rem}dd{margin:0}
    [hidden]{display:none!important}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px}
    @media print{body{max-width:none;padding:0;font-size:.8rem}.filters,.skip,nav{display:none}
    article,figure,tr{break-inside:avoid}h2,h3{break-after:avoid}
    article,.group{content-visibility:visible}}
    """
}
