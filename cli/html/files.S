/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a page as bytes of chessctl, each with a zero byte after it; the Makefile makes
 * html_page.js and html_search.js of the scripts. Declared where they are used.
 */
	.section .rodata

	.global html_template
html_template:
	.incbin "head.html"
	.incbin "page.html"
	.byte 0

	.global html_style
html_style:
	.incbin "page.css"
	.byte 0

	.global html_script
html_script:
	.incbin "html_page.js"
	.byte 0

	.global html_search_template
html_search_template:
	.incbin "head.html"
	.incbin "search.html"
	.byte 0

	.global html_search_script
html_search_script:
	.incbin "html_search.js"
	.byte 0

	.section .note.GNU-stack, "", @progbits
