/* Tables are sorted by the column whose head is clicked. No "less than" sign and no ampersand here, so that the page is
 * well-formed XML without CDATA. On a narrow screen the contents stay folded: the page begins with its summary. */
if (innerWidth >= 1250)
    document.querySelector('nav details').open = true;

/* While jcb reproduce runs it writes the page again about every half minute. A page that nobody has written for ten
 * minutes is left alone: the program was killed. */
var written = document.body.dataset.written;
if (written !== undefined)
    if (600 > Date.now() / 1000 - written)
        setTimeout(function () { location.reload(); }, 30000);

addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (d) { d.open = true; });
});

function leadingNumber(s) { /* NaN: none */
    var m = s.replace(/\u2212/g, '-').match(/^[\s\x3c]*([-+]?[0-9.]+)/);
    return m ? parseFloat(m[1]) : NaN;
}

function sortTable(table, heads, head, column) {
    var up = head.getAttribute('aria-sort') == 'ascending' ? -1 : 1;
    var body = table.tBodies[0];
    Array.from(body.rows).map(function (row) {
        var s = row.cells[column].textContent.trim();
        return {row: row, s: s, n: leadingNumber(s)};
    }).sort(function (x, y) {
        if (isNaN(x.n) != isNaN(y.n))
            return isNaN(x.n) ? 1 : -1;
        return up * (isNaN(x.n) ? x.s.localeCompare(y.s) : x.n - y.n);
    }).forEach(function (x) { body.appendChild(x.row); });
    heads.forEach(function (h) { h.removeAttribute('aria-sort'); });
    head.setAttribute('aria-sort', up == 1 ? 'ascending' : 'descending');
}

document.querySelectorAll('table.sort').forEach(function (table) {
    var heads = table.querySelectorAll('thead th');
    heads.forEach(function (head, column) {
        head.tabIndex = 0;
        head.onclick = function () { sortTable(table, heads, head, column); };
        head.onkeydown = function (e) { if (e.key == 'Enter') head.onclick(); };
    });
});
